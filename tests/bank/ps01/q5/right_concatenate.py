def bidirectional(x, forward, backward):
    left = forward(x)
    right = backward(np.flip(x, axis=0))
    return np.hstack([left, np.flip(right, axis=0)])
