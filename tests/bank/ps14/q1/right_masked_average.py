def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    words = np.array(tokens)
    L = len(words)
    wanted = np.zeros((L, L), dtype=bool)
    for i in range(L):
        earlier = np.flatnonzero(words[:i] == words[i])
        wanted[i, earlier + 1] = True
    has = wanted.any(1)
    if has.sum() == 0:
        return np.zeros(maps.shape[0])
    per_place = np.where(wanted, maps, 0.0).sum(2)
    return np.average(per_place, axis=1, weights=has)
