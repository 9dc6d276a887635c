# points: 0
# message: Your weights are a square of L × L


def look_back_attention(Q, K, V, w):
    L = Q.shape[-2]
    i, j = np.arange(L)[:, None], np.arange(L)
    A = softmax(np.where((j <= i) & (j >= i - w), Q @ K.mT / np.sqrt(Q.shape[-1]), -np.inf))
    return A @ V, A
