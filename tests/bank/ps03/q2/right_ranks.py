def limit_weights(scores):
    flat = scores.reshape(-1, scores.shape[-1])
    out = np.zeros(flat.shape, dtype=np.float32)
    for row, weights in zip(flat, out):
        order = np.argsort(row)
        tie = [j for j in order[::-1] if row[j] == row[order[-1]]]
        if not np.isneginf(row[order[-1]]):
            weights[tie] = 1.0 / len(tie)
    return out.reshape(scores.shape)
