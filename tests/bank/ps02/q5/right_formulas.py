def unit_divisor(std_q, std_k):
    return (std_q**2 @ std_k**2) ** 0.5


def temperature(scores, ratio):
    best = int(np.argmax(scores))
    rest = np.delete(scores, best)
    return (scores[best] - rest.max()) / np.log(ratio)
