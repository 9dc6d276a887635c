# points: 0
# message: There is no line W


def first_step():
    return "w[j] * (g[j] - (w * g).sum())"
