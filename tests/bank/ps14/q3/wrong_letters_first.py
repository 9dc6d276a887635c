# points: 2
# message: on the left stands the number of a line


def study(x, y, word, test, shuffle, probe):
    train = ~test
    of_word = y[np.unique(word, return_index=True)[1]]
    control = shuffle(of_word)[word]
    said = probe(x[train], y[train], x[test])
    said_of_control = probe(x[train], control[train], x[test])
    accuracy = np.mean(said == y[test])
    accuracy_of_control = np.mean(said_of_control == control[test])
    frequent = y[train].mean() > 0.5
    constant = np.mean(y[test] == frequent)
    return accuracy, accuracy_of_control, constant


def diagnosis():
    return {"B": 3, "A": 4, "C": 7, "D": 8}
