def softmax(x, axis):
    last = np.moveaxis(np.asarray(x, dtype=np.float64), axis, -1)
    out = np.empty(last.shape)
    with np.errstate(over="ignore", invalid="ignore"):
        for j in range(last.shape[-1]):
            other = np.exp(last - last[..., j : j + 1])
            out[..., j] = np.where(np.isneginf(last[..., j]), 0, 1 / np.sum(other, axis=-1))
    return np.moveaxis(out, -1, axis)
