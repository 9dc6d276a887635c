# points: 0
# message: could not broadcast


def bidirectional(x, forward, backward):
    out = np.zeros((x.shape[0], 2 * x.shape[1]))
    out[:, : x.shape[1]] = forward(x)
    out[:, x.shape[1] :] = backward(x[::-1])[::-1]
    return out
