# points: 3
# message: you take the mean of the weights after its occurrences


def before(maps):
    return np.array([m.diagonal(-1).mean() for m in maps])


def induction(maps, tokens):
    of_places = []
    for i, word in enumerate(tokens):
        after = [j + 1 for j in range(i) if tokens[j] == word]
        if after:
            of_places.append(maps[:, i, after].mean(axis=1))
    return np.mean(of_places, axis=0) if of_places else np.zeros(len(maps))
