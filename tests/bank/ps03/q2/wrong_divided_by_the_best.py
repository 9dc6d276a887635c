# points: 3
# message: You divide by the best score, which may be 0.


def limit_weights(scores):
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        ratio = scores / scores.max(axis=-1, keepdims=True)
    winners = ratio == 1
    count = winners.sum(axis=-1, keepdims=True)
    return winners / np.maximum(count, 1)
