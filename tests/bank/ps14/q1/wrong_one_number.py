# points: 3
# message: one number for all heads is returned


def before(maps):
    L = maps.shape[1]
    return maps[:, range(1, L), range(L - 1)].mean()


def induction(maps, tokens):
    scores = []
    for i, word in enumerate(tokens):
        right = [j + 1 for j in range(i) if tokens[j] == word]
        if right:
            scores.append(maps[:, i, right].sum(axis=1))
    return np.mean(scores, axis=0) if scores else np.zeros(len(maps))
