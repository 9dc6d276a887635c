def study(x, y, word, test, shuffle, probe):
    label_of = {int(w): int(label) for w, label in zip(word, y)}
    names = sorted(label_of)
    new = shuffle(np.array([label_of[w] for w in names]))
    new_of = dict(zip(names, new))
    control = np.array([new_of[int(w)] for w in word])

    def share(labels):
        answers = probe(x[~test], labels[~test], x[test])
        return sum(int(a == b) for a, b in zip(answers, labels[test])) / test.sum()

    ones = int(y[~test].sum())
    frequent = 1 if ones > len(y[~test]) - ones else 0
    return [share(y), share(control), sum(label == frequent for label in y[test]) / len(y[test])]


def diagnosis():
    return {"8": "d", "7": "c", "4": "a", "3": "b"}
