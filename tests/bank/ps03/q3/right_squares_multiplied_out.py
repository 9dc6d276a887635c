def decode(queries, keys, radius, blends, places, words):
    squares = (queries**2).sum(-1)[:, None] + (keys**2).sum(-1) - 2 * queries @ keys.T
    best = np.linalg.norm(blends[:, None] - places, axis=-1).argmin(axis=1)
    return [words[j] if row.min() <= radius**2 else None for j, row in zip(best, squares)]
