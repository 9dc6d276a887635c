# points: 0
# message: softmax is called


def softmax(x, axis, ready=functional.softmax):
    return ready(x, axis=axis)
