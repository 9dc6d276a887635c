# points: 0
# message: You return the heads that cost something


def smallest(score, heads):
    whole = score([])
    return [head for head in heads if score([head]) < whole]
