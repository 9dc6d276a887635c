# points: 0
# message: functional.softmax is called


def softmax(x, axis):
    return functional.softmax(x, axis=axis)
