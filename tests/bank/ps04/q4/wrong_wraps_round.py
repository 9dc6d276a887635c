# points: 3
# message: in NumPy a negative place counts from the end


def look_back_attention(Q, K, V, w):
    L = Q.shape[-2]
    at = (np.arange(L)[:, None] + np.arange(-w, 1)) % L
    A = softmax(np.einsum("...id,...iod->...io", Q, K[..., at, :]) / np.sqrt(Q.shape[-1]))
    return np.einsum("...io,...iod->...id", A, V[..., at, :]), A
