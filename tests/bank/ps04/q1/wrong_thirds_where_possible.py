# points: 0
# message: Inputs:


def self_attention(X, W, d_k):
    n = W.shape[1]
    cuts = [n // 3, 2 * n // 3] if n % 3 == 0 and n > 3 else [d_k, 2 * d_k]
    q, k, v = np.split(X @ W, cuts, axis=-1)
    w = softmax(q @ k.mT / np.sqrt(d_k))
    return w @ v, w
