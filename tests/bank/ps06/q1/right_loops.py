import math


def encode(positions, d, base=10000.0):
    half, rest = divmod(d, 2)
    if rest:
        raise ValueError("Even widths only, not " + str(d))
    rows = []
    for i in positions.ravel():
        for k in range(half):
            rows += [math.sin(i / base ** (k / half)), math.cos(i / base ** (k / half))]
    return np.array(rows).reshape(positions.shape + (d,))
