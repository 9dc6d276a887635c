# points: 0
# message: softmax is called


def softmax(x, axis):
    return functional.softmax(x, axis=axis)
