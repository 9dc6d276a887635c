# points: 3
# message: scores that differ by very little share the weight


def limit_weights(scores):
    wins = np.isclose(scores, scores.max(axis=-1, keepdims=True)) & (scores > -np.inf)
    return wins / np.maximum(wins.sum(axis=-1, keepdims=True), 1)
