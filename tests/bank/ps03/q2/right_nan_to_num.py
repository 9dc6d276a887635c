def limit_weights(scores):
    gap = scores - scores.max(-1, keepdims=True)
    w = (gap == 0).astype(float)
    return np.nan_to_num(w / w.sum(-1, keepdims=True))
