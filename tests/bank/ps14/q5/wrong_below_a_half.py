# points: 2
# message: 0.5 itself is low enough


from itertools import combinations


def smallest(score, heads):
    for n in range(1, len(heads) + 1):
        for some in combinations(heads, n):
            if score(some) < 0.5:
                return list(some)
    return list(heads)
