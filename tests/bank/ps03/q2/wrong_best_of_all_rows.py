# points: 0
# message: You look for one best score among all queries


def limit_weights(scores):
    wins = (scores == scores.max()) & (scores > -np.inf)
    return wins / np.maximum(wins.sum(axis=-1, keepdims=True), 1)
