# points: 3
# message: Where the best score is very low, your weights are zeros.


def limit_weights(scores):
    out = np.zeros(scores.shape)
    rows, res = scores.reshape(-1, scores.shape[-1]), out.reshape(-1, scores.shape[-1])
    for i in range(len(rows)):
        best = -1e99
        for s in rows[i]:
            if s > best:
                best = s
        hits = [j for j in range(len(rows[i])) if rows[i][j] == best]
        for j in hits:
            res[i, j] = 1 / len(hits)
    return out
