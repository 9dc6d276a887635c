def attention(Q, K, V):
    before = Q.shape[:-2]
    K = np.broadcast_to(K, (*before, *K.shape[-2:]))
    V = np.broadcast_to(V, (*before, *V.shape[-2:]))
    output = np.zeros((*before, Q.shape[-2], V.shape[-1]))
    weights = np.zeros((*before, Q.shape[-2], K.shape[-2]))
    for place in np.ndindex(before):
        for i, q in enumerate(Q[place]):
            scores = [sum(q * k) / np.sqrt(len(k)) for k in K[place]]
            shares = functional.softmax(np.array(scores))
            weights[place][i] = shares
            output[place][i] = sum(share * value for share, value in zip(shares, V[place], strict=True))
    return output, weights
