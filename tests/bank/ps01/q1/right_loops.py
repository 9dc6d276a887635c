def conv1d(x, W, b):
    k, d_in, d_out = W.shape
    length = x.shape[-2]
    flat = x.reshape(-1, length, d_in)
    y = np.zeros((len(flat), length - k + 1, d_out))
    for n in range(len(flat)):
        for i in range(length - k + 1):
            for o in range(d_out):
                y[n, i, o] = b[o]
                for j in range(k):
                    for c in range(d_in):
                        y[n, i, o] += flat[n, i + j, c] * W[j, c, o]
    return y.reshape(*x.shape[:-2], length - k + 1, d_out)
