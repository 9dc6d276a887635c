# points: 1
# message: you read the columns backwards


def original_weights(weights, order):
    return weights[..., ::-1]


def total_order(first, second):
    return first[second]
