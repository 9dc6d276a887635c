# points: 3
# message: you compute the first alone


def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    y = np.zeros((*x.shape[:-2], n, W.shape[2]))
    first = y if x.ndim == 2 else y[0]
    sentence = x if x.ndim == 2 else x[0]
    first += sum(sentence[..., j : j + n, :] @ W[j] for j in range(len(W))) + b
    return y
