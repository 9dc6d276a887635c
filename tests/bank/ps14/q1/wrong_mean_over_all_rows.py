# points: 1.5
# message: Only those count whose word has occurred earlier


def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    scores = []
    for i, word in enumerate(tokens):
        right = [j + 1 for j in range(i) if tokens[j] == word]
        if right:
            scores.append(maps[:, i, right].sum(axis=1))
    return sum(scores, np.zeros(len(maps))) / len(tokens)
