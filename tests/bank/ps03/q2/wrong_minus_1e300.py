# points: 3
# message: A key with the score −∞ gets weight


def limit_weights(scores):
    s = np.where(np.isneginf(scores), -1e300, scores)
    best = s.max(axis=-1, keepdims=True)
    winners = s == best
    w = winners / winners.sum(axis=-1, keepdims=True)
    w[np.isneginf(scores).all(axis=-1)] = 0
    return w
