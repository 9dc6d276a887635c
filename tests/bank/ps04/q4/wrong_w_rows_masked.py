# points: 3
# message: Your code stops with IndexError


def look_back_attention(Q, K, V, w):
    L, d_k = Q.shape[-2:]
    places = np.arange(L)[:, None] - w + np.arange(w + 1)
    scores = np.einsum("...id,...iod->...io", Q, K[..., np.maximum(places, 0), :]) / np.sqrt(d_k)
    for i in range(w):
        scores[..., i, : w - i] = -np.inf
    weights = softmax(scores)
    return np.einsum("...io,...iov->...iv", weights, V[..., np.maximum(places, 0), :]), weights
