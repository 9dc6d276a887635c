def attention(Q, K, V):
    scale = Q.shape[-1] ** -0.25
    weights = functional.softmax((Q * scale) @ np.moveaxis(K * scale, -1, -2))
    return weights @ V, weights
