# points: 0
# message: Both faults of the textbook softmax


def softmax(x, axis):
    return np.exp(x) / np.exp(x).sum()
