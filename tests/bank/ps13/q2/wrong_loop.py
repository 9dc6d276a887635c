# points: 3
# message: There is a loop over the tokens


def chunk(Q, K, V, S, gamma):
    rows = []
    for q, k, v in zip(Q, K, V):
        S = gamma * S + np.outer(k, v)
        rows.append(q @ S)
    return np.array(rows), S
