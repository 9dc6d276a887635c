# points: 0
# message: You hand the words to the part one at a time


def influence(f, x):
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    for i in range(len(x)):
        word = x[i : i + 1]
        noise = torch.linspace(0.3, 0.9, x.shape[1], dtype=x.dtype)
        result[i, i] = bool(((f(word + noise) - f(word)).abs() > 1e-9).any())
    return result
