# points: 0
# message: along the wrong axis


def limit_weights(scores):
    wins = (scores == scores.max(axis=-2, keepdims=True)) & (scores > -np.inf)
    return wins / np.maximum(wins.sum(axis=-2, keepdims=True), 1)
