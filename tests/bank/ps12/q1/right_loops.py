def writes(M, e):
    d, n = M.shape
    out, shift = [[0.0] * n for _ in range(d)], []
    for j in range(n):
        mean = sum(M[i][j] for i in range(d)) / d
        for i in range(d):
            out[i][j] = M[i][j] - mean
    for number in e:
        shift.append(number - sum(e) / d)
    return out, shift


def reads(W, c, gain, bias):
    new, added = [], []
    for row, start in zip(W, c):
        new.append([w * g for w, g in zip(row, gain)])
        added.append(start + sum(w * b for w, b in zip(row, bias)))
    return [new, added]
