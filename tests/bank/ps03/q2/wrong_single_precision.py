# points: 3
# message: scores that differ by very little share the weight


def limit_weights(scores):
    s = scores.astype(np.float32)
    wins = (s == s.max(axis=-1, keepdims=True)) & (s > -np.inf)
    return wins / np.maximum(wins.sum(axis=-1, keepdims=True), 1)
