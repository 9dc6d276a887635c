# points: 1
# message: changes its inputs in place


def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    words = np.array(tokens)
    same = np.tril(words[:, None] == words, -1)
    after = np.roll(same, 1, axis=1)
    maps *= after
    rows = same.any(axis=1)
    return maps.sum(axis=2)[:, rows].mean(axis=1) if rows.any() else np.zeros(len(maps))
