def limit_weights(scores):
    best = np.sort(scores, axis=-1)[..., -1:]
    with np.errstate(invalid="ignore"):
        gap = scores - best  # NaN where both are −∞
    wins = (gap == 0).astype(np.float32)
    with np.errstate(invalid="ignore", divide="ignore"):
        shared = wins / wins.sum(axis=-1, keepdims=True)
    return np.nan_to_num(shared)
