# points: 1
# message: three heads where fewer are enough


from itertools import combinations


def smallest(score, heads):
    return list(min(combinations(heads, 3), key=score))
