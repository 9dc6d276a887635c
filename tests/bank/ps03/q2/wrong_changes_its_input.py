# points: 3
# message: changes its inputs in place


def limit_weights(scores):
    best = scores.max(axis=-1, keepdims=True)
    nothing = best == -np.inf
    scores[np.broadcast_to(nothing, scores.shape)] = 0
    wins = (scores == best).astype(float)
    return wins / np.maximum(wins.sum(axis=-1, keepdims=True), 1)
