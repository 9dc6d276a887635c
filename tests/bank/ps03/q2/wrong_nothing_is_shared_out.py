# points: 3
# message: and you let them share


def limit_weights(scores):
    wins = scores == scores.max(axis=-1, keepdims=True)
    return wins / wins.sum(axis=-1, keepdims=True)
