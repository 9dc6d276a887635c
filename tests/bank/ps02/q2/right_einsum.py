def attention(Q, K, V):
    scores = np.einsum("...id,...jd->...ij", Q, K) / K.shape[-1] ** 0.5
    weights = functional.softmax(scores)
    return np.einsum("...ij,...jv->...iv", weights, V), weights
