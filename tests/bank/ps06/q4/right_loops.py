def to_pair(W, d_pos):
    rows = [row for row in W]
    for c in range(d_pos):
        rows.append(W[c])
    return np.array(rows)


def to_sum(W, d):
    for c in range(len(W) - d):
        for column in range(W.shape[1]):
            if W[c, column] != W[d + c, column]:
                return None
    return W[:d].copy()
