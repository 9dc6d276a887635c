def study(x, y, word, test, shuffle, probe):
    learn, ask = np.flatnonzero(test == False), np.flatnonzero(test)  # noqa: E712
    T = word.max() + 1
    of_word = np.zeros(T, dtype=int)
    of_word[word] = y
    control = np.take(shuffle(of_word), word)
    result = {}
    for name, labels in {"real": y, "control": control}.items():
        result[name] = (probe(x[learn], labels[learn], x[ask]) == labels[ask]).sum() / len(ask)
    values, counts = np.unique(y[learn], return_counts=True)
    result["constant"] = (y[ask] == values[np.argmax(counts)]).sum() / len(ask)
    return result["real"], result["control"], result["constant"]


def diagnosis():
    return {3: "B", 4: "A", 7: "C", 8: "D"}
