# points: 1.5
# message: A word has to have occurred earlier


def before(maps):
    return np.array([m.diagonal(-1).mean() for m in maps])


def induction(maps, tokens):
    words = np.array(tokens)
    same = (words[:, None] == words) & ~np.eye(len(words), dtype=bool)
    after = np.zeros_like(same)
    after[:, 1:] = same[:, :-1]
    rows = same.any(axis=1)
    if not rows.any():
        return np.zeros(len(maps))
    return (maps * after).sum(axis=2)[:, rows].mean(axis=1)
