# points: 2
# message: sets of one and two are not enough


from itertools import combinations


def smallest(score, heads):
    for n in (1, 2):
        for some in combinations(heads, n):
            if score(some) <= 0.5:
                return list(some)
    return []
