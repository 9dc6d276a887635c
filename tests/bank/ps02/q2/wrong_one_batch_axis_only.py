# points: 3
# message: Your code stops with


def attention(Q, K, V):
    if Q.ndim == 2:
        Q, K, V = Q[None], K[None], V[None]
        output, weights = attention(Q, K, V)
        return output[0], weights[0]
    scores = np.einsum("bid,bjd->bij", Q, K) / np.sqrt(K.shape[-1])
    weights = functional.softmax(scores, axis=-1)
    return np.einsum("bij,bjv->biv", weights, V), weights
