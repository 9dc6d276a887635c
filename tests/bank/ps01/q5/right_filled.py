def bidirectional(x, forward, backward):
    f, b = forward(x), backward(x[::-1].copy())
    out = np.zeros((x.shape[0], f.shape[1] + b.shape[1]))
    out[:, : f.shape[1]] = f
    out[::-1, f.shape[1] :] = b
    return out
