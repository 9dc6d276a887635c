# points: 3
# message: Where the best score is very low, your weights are zeros.


def limit_weights(scores):
    excluded = scores < -1e100
    best = scores.max(axis=-1, keepdims=True)
    winners = (scores == best) & ~excluded
    count = winners.sum(axis=-1, keepdims=True)
    return winners / np.where(count == 0, 1, count)
