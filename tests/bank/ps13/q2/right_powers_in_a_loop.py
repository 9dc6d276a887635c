def chunk(Q, K, V, S, gamma):
    powers = [1.0]
    for _ in range(len(Q)):
        powers.append(powers[-1] * gamma)
    powers = np.array(powers)
    back = np.subtract.outer(np.arange(len(Q)), np.arange(len(Q)))
    weights = np.where(back >= 0, powers[np.abs(back)], 0)
    outputs = np.einsum("ij,id,jd,jv->iv", weights, Q, K, V) + powers[1:, None] * (Q @ S)
    return outputs, powers[-1] * S + np.einsum("j,jd,jv->dv", weights[-1], K, V)
