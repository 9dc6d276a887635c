def conv1d(x, W, b):
    k, d_in, d_out = np.shape(W)
    y = np.empty(x.shape[:-2] + (x.shape[-2] - k + 1, d_out), dtype=np.longdouble)
    for i in range(y.shape[-2]):
        y[..., i, :] = np.einsum("...kc,kco->...o", x[..., i : i + k, :], W) + b
    return y
