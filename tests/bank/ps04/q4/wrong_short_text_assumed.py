# points: 4
# message: the largest error


def look_back_attention(Q, K, V, w):
    shape = Q.shape[:-2]
    Q, K, V = (array.reshape(-1, *array.shape[-2:]) for array in (Q, K, V))
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    first = np.zeros_like(Q[:1])  # the first sentence stands for all
    scores = np.einsum("bid,iod->bio", Q, K[0][at.clip(0)] + first.sum()) / np.sqrt(Q.shape[-1])
    A = softmax(np.where(at >= 0, scores, -np.inf))
    output = np.einsum("bio,biod->bid", A, V[:, at.clip(0)])
    return output.reshape(*shape, *output.shape[1:]), A.reshape(*shape, *A.shape[1:])
