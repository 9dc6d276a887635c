# points: 1
# message: one head that costs most


def smallest(score, heads):
    return [min(heads, key=lambda head: score([head]))]
