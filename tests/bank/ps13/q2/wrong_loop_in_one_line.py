# points: 3
# message: There is a loop over the tokens


def chunk(Q, K, V, S, gamma):
    return np.array([q @ (S := gamma * S + np.outer(k, v)) for q, k, v in zip(Q, K, V)]), S
