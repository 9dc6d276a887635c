def is_induction(head):
    rng = np.random.default_rng(3)
    vocabulary = "red blue green pink black white brown grey gold cyan lime navy plum rust sand teal".split()
    for _ in range(40):
        text = []
        while len(text) < 40:
            word = vocabulary[rng.integers(len(vocabulary))]
            if not text or text[-1] != word:
                text.append(word)
        words = np.array(text)
        same = np.tril(words[:, None] == words, -1)
        after = np.concatenate([np.zeros((40, 1), bool), same[:, :-1]], axis=1)
        share = (head(text) * after).sum(axis=1)[same.any(axis=1)]
        if (share < 0.59).any():
            return False
    return True
