# points: 3
# message: You set weights to 0 after the softmax


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    keys, values = K[..., at.clip(0), :], V[..., at.clip(0), :]
    A = softmax(np.einsum("...id,...iod->...io", Q, keys) / np.sqrt(Q.shape[-1])) * (at >= 0)
    return np.einsum("...io,...iod->...id", A, values), A
