# points: 3.5
# message: you return NaN


def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    words = np.array(tokens)
    same = np.tril(words[:, None] == words, -1)
    after = np.roll(same, 1, axis=1)
    return (maps * after).sum(axis=2)[:, same.any(axis=1)].mean(axis=1)
