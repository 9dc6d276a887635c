# points: 3
# message: stops with


def limit_weights(scores):
    if scores.ndim == 3:
        return np.stack([limit_weights(s) for s in scores])
    n_queries, n_keys = scores.shape
    wins = (scores == scores.max(axis=1)[:, None]) & np.isfinite(scores)
    return wins / np.maximum(wins.sum(axis=1), 1)[:, None]
