# points: 0
# message: You pad the sentence
def conv1d(x, W, b):
    k, length = len(W), x.shape[-2]
    before = (k - 1) // 2
    zeros = np.zeros((*x.shape[:-2], before, x.shape[-1]))
    after = np.zeros((*x.shape[:-2], k - 1 - before, x.shape[-1]))
    padded = np.concatenate([zeros, x, after], axis=-2)
    return b + sum(padded[..., j : j + length, :] @ W[j] for j in range(k))
