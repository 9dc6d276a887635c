# points: 0
# message: You let the winners of all rows share


def limit_weights(scores):
    wins = (scores == scores.max(axis=-1, keepdims=True)) & (scores > -np.inf)
    return wins / max(wins.sum(), 1)
