# points: 3.5
# message: still trained on all rows


def study(x, y, word, test, shuffle, probe):
    train = ~test
    of_word = y[np.unique(word, return_index=True)[1]]
    control = shuffle(of_word)[word]
    said = probe(x, y, x[test])
    said_of_control = probe(x[train], control[train], x[test])
    accuracy = np.mean(said == y[test])
    accuracy_of_control = np.mean(said_of_control == control[test])
    frequent = y[train].mean() > 0.5
    constant = np.mean(y[test] == frequent)
    return accuracy, accuracy_of_control, constant


def diagnosis():
    return {3: "B", 4: "A", 7: "C", 8: "D"}
