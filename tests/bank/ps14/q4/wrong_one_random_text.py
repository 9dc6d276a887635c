# points: 3
# message: all distances but three in a row


def is_induction(head):
    rng = np.random.default_rng(0)
    text = [rng.integers(10)]
    while len(text) < 40:
        word = rng.integers(10)
        if word != text[-1]:
            text.append(word)
    weights = head(text)
    for i in range(40):
        earlier = [j for j in range(i) if text[j] == text[i]]
        if earlier and sum(weights[i, j + 1] for j in earlier) < 0.5:
            return False
    return True
