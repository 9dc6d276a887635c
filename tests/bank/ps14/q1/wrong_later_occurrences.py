# points: 1.5
# message: you look for later occurrences


def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    words = np.array(tokens)
    same = np.triu(words[:, None] == words, 1)
    after = np.zeros_like(same)
    after[:, 1:] = same[:, :-1]
    rows = same.any(axis=1)
    return (maps * after).sum(axis=2)[:, rows].mean(axis=1) if rows.any() else np.zeros(len(maps))
