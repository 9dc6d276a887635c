# points: 3
# message: you take the latest only


def before(maps):
    return np.diagonal(maps, offset=-1, axis1=1, axis2=2).mean(axis=1)


def induction(maps, tokens):
    last, scores = {}, []
    for i, word in enumerate(tokens):
        if word in last:
            scores.append(maps[:, i, last[word] + 1])
        last[word] = i
    return np.mean(scores, axis=0) if scores else np.zeros(len(maps))
