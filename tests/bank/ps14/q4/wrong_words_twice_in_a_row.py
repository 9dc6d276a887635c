# points: 3.5
# message: where a word stands twice in a row


def is_induction(head):
    rng = np.random.default_rng(3)
    for _ in range(40):
        text = [f"w{n}" for n in rng.integers(0, 16, 60)]
        words = np.array(text)
        same = np.tril(words[:, None] == words, -1)
        after = np.concatenate([np.zeros((60, 1), bool), same[:, :-1]], axis=1)
        share = (head(text) * after).sum(axis=1)[same.any(axis=1)]
        if (share < 0.59).any():
            return False
    return True
