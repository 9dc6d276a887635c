def of_row(row):
    best = max(row)
    if best == float("-inf"):
        return [0] * len(row)
    return [1 / list(row).count(best) if s == best else 0 for s in row]


def limit_weights(scores):
    if scores.ndim > 1:
        return np.array([limit_weights(part) for part in scores])
    return np.array(of_row(scores), dtype=np.float16)
