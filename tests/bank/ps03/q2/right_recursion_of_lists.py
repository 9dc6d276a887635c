def limit_weights(scores):
    """Peel off one axis after the other, until one row of numbers is left."""
    scores = np.asarray(scores)

    def one_row(row):
        allowed = [s for s in row if s != float("-inf")]
        if not allowed:
            return [0.0] * len(row)
        top = max(allowed)
        share = 1 / allowed.count(top)
        return [share if s == top else 0.0 for s in row]

    def peel(a):
        if a.ndim == 1:
            return one_row(a.tolist())
        return [peel(b) for b in a]

    return np.array(peel(scores)).reshape(scores.shape)
