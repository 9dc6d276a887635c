# points: 3
# message: axis 1 is not the last axis


def limit_weights(scores):
    wins = (scores == scores.max(axis=1, keepdims=True)) & (scores > -np.inf)
    return wins / np.maximum(wins.sum(axis=1, keepdims=True), 1)
