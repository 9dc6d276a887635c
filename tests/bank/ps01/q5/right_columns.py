def bidirectional(x, forward, backward):
    n = len(x)
    order = np.arange(n)[::-1]
    return np.c_[forward(x), backward(x[order])[n - 1 - np.arange(n)]]
