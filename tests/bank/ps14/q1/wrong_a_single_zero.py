# points: 3.5
# message: a single 0


def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    scores = []
    for i, word in enumerate(tokens):
        right = [j + 1 for j in range(i) if tokens[j] == word]
        if right:
            scores.append(maps[:, i, right].sum(axis=1))
    return np.mean(scores, axis=0) if scores else 0.0
