def attention(Q, K, V):
    front, (L_q, d_k) = Q.shape[:-2], Q.shape[-2:]
    K = np.broadcast_to(K, front + K.shape[-2:])
    V = np.broadcast_to(V, front + V.shape[-2:])
    weights = np.zeros(front + (L_q, K.shape[-2]))
    output = np.zeros(front + (L_q, V.shape[-1]))
    for where in np.ndindex(*front):
        for i in range(L_q):
            s = np.array([np.dot(Q[where][i], key) for key in K[where]]) / np.sqrt(d_k)
            e = np.exp(s - s.max())
            weights[where][i] = e / e.sum()
            output[where][i] = sum(w * v for w, v in zip(weights[where][i], V[where]))
    return output, weights
