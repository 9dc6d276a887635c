# points: 3
# message: finite scores may lie below it


def limit_weights(scores):
    s = np.where(np.isinf(scores), -1e9, scores)
    wins = s == s.max(axis=-1, keepdims=True)
    nothing = np.isinf(scores).all(axis=-1, keepdims=True)
    return np.where(nothing, 0, wins / wins.sum(axis=-1, keepdims=True))
