# points: 2
# message: with the mean of the others


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    best = scores.argmax()
    return (scores[best] - np.delete(scores, best).mean()) / np.log(ratio)
