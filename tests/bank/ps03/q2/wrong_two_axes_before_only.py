# points: 3
# message: the largest error is at


def limit_weights(scores):
    if scores.ndim == 3:
        return np.stack([limit_weights(s) for s in scores])
    weights = np.zeros(scores.shape)
    for i in range(scores.shape[0]):
        best = scores[i].max()
        if np.all(best > -np.inf):
            won = np.equal(scores[i], best)
            weights[i] = won / np.sum(won)
    return weights
