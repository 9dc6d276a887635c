# points: 2
# message: the labels of the rows are still shuffled


def study(x, y, word, test, shuffle, probe):
    train = ~test
    of_word = y[np.unique(word, return_index=True)[1]]
    control = shuffle(y)
    said = probe(x, y, x[test])
    said_of_control = probe(x[train], control[train], x[test])
    accuracy = np.mean(said == y[test])
    accuracy_of_control = np.mean(said_of_control == y[test])
    constant = max(np.mean(y[test] == 0), np.mean(y[test] == 1))
    return accuracy, accuracy_of_control, constant


def diagnosis():
    return {3: "B", 4: "A", 7: "C", 8: "D"}
