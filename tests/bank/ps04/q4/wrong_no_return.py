# points: 0
# message: returns None


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
