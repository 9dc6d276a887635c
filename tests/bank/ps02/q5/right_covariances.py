def unit_divisor(std_q, std_k):
    return np.sqrt(np.trace(np.diag(std_q**2) @ np.diag(std_k**2)))


def temperature(scores, ratio):
    low, high = 1e-6, 1e6
    for _ in range(200):
        middle = (low * high) ** 0.5
        shares = np.sort(functional.softmax(scores / middle))
        if shares[-1] > ratio * shares[-2]:
            low = middle
        else:
            high = middle
    return low
