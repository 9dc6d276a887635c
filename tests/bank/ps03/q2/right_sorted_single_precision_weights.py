def limit_weights(scores):
    ordered = np.sort(scores, axis=-1)
    best = ordered[..., -1:]
    how_many = (ordered == best).sum(axis=-1, keepdims=True)
    weights = np.where((scores >= best) & (scores > -np.inf), 1 / how_many, 0)
    return weights.astype(np.float32)
