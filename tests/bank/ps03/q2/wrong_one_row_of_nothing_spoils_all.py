# points: 3
# message: Inputs: scores


def limit_weights(scores):
    best = scores.max(axis=-1, keepdims=True)
    if scores.ndim == 2 and (best == -np.inf).any():
        return np.zeros(scores.shape)
    wins = scores == best
    return wins / wins.sum(axis=-1, keepdims=True)
