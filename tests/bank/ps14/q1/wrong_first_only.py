# points: 3
# message: you take the first only


def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    rows = [i for i in range(len(tokens)) if tokens.index(tokens[i]) < i]
    after = [tokens.index(tokens[i]) + 1 for i in rows]
    return maps[:, rows, after].mean(axis=1) if rows else np.zeros(len(maps))
