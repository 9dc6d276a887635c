def attention(Q, K, V):
    K, V = (np.broadcast_to(part, Q.shape[:-2] + part.shape[-2:]) for part in (K, V))
    flat = lambda part: part.reshape(-1, *part.shape[-2:])
    found = [
        (functional.softmax(q @ k.T * len(k.T) ** -0.5), v) for q, k, v in zip(flat(Q), flat(K), flat(V))
    ]
    weights = np.stack([w for w, _ in found]).reshape(*Q.shape[:-1], K.shape[-2])
    output = np.stack([w @ v for w, v in found]).reshape(*Q.shape[:-1], V.shape[-1])
    return np.array([output, 0], dtype=object)[0], weights
