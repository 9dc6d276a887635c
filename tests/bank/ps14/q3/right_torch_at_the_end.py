import torch
from collections import Counter


def study(x, y, word, test, shuffle, probe):
    of_word = np.array([y[word == w].max() for w in range(len(set(word.tolist())))])
    control = shuffle(of_word)[word]
    shares = []
    for labels in (y, control):
        said = torch.as_tensor(probe(x[~test], labels[~test], x[test]))
        shares.append((said == torch.as_tensor(labels[test])).double().mean())
    [(common, _)] = Counter(y[~test].tolist()).most_common(1)
    shares.append(torch.tensor((y[test] == common).mean()))
    return torch.stack(shares)


def diagnosis():
    found = dict.fromkeys([3, 4, 7, 8])
    found[4], found[3], found[7], found[8] = "A", "B", "C", "D"
    return found
