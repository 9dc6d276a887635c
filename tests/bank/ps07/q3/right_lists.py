def separate(values):
    n, v, h, s = values.tolist()
    a, b = (n[0] - v[0]) / 2, (n[1] - v[1]) / 2
    c, d = (h[0] - s[0]) / 2, (h[1] - s[1]) / 2
    u = [(d - b) / (a * d - b * c), (a - c) / (a * d - b * c)]
    t = sum((p + q) / 2 * w for p, q, w in zip(v, s, u))
    return [[u[0], u[0]], [u[1], u[1]]], [-t, -t - 1], [[2], [-4]], [-1]
