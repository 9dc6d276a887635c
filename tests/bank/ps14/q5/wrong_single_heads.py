# points: 1
# message: You return no head where several are needed


def smallest(score, heads):
    return [head for head in heads if score([head]) <= 0.5]
