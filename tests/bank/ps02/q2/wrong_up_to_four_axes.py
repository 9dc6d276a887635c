# points: 3
# message: too many axes


def attention(Q, K, V):
    letters = "abcd"[: Q.ndim - 2]
    if Q.ndim > 4:
        raise ValueError("too many axes")
    keys = letters if K.ndim > 2 else ""
    scores = np.einsum(f"{letters}id,{keys}jd->{letters}ij", Q, K) / K.shape[-1] ** 0.5
    weights = functional.softmax(scores, axis=-1)
    return weights @ V, weights
