# points: 3
# message: A large sharpness is not the limit


def limit_weights(scores):
    return functional.softmax(1e12 * scores)
