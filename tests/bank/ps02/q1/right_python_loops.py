import math


def softmax(x, axis):
    rows = np.swapaxes(x, axis, -1)
    out = np.zeros(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        row = [float(score) for score in rows[place]]
        best = max(row)
        powers = [math.exp(score - best) for score in row]
        for j, power in enumerate(powers):
            out[(*place, j)] = power / sum(powers)
    return np.swapaxes(out, axis, -1)
