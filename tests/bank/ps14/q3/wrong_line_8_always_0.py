# points: 3.5
# message: Inputs


def study(x, y, word, test, shuffle, probe):
    train = ~test
    of_word = y[np.unique(word, return_index=True)[1]]
    control = shuffle(of_word)[word]
    accuracy = np.mean(probe(x[train], y[train], x[test]) == y[test])
    of_control = np.mean(probe(x[train], control[train], x[test]) == control[test])
    frequent = 0
    return accuracy, of_control, np.mean(y[test] == frequent)


def diagnosis():
    return {3: "B", 4: "A", 7: "C", 8: "D"}
