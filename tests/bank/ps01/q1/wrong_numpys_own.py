# points: 0
# message: numpy.convolve is called
def conv1d(x, W, b):
    k, d_in, d_out = W.shape
    y = [
        sum(np.convolve(x[:, c], W[::-1, c, o], mode="valid") for c in range(d_in)) + b[o]
        for o in range(d_out)
    ]
    return np.stack(y, axis=-1)
