# points: 3
# message: the mean is over pairs


def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    L = len(tokens)
    pairs = [(i, j + 1) for i in range(L) for j in range(i) if tokens[i] == tokens[j]]
    return np.mean([maps[:, i, k] for i, k in pairs], axis=0) if pairs else np.zeros(len(maps))
