# points: 0
# message: are to be removed


from itertools import combinations


def smallest(score, heads):
    for n in range(1, len(heads)):
        for some in combinations(heads, n):
            if score([head for head in heads if head not in some]) <= 0.5:
                return list(some)
