def decode(queries, keys, radius, blends, places, words):
    answers = [None] * len(queries)
    for i, q in enumerate(queries):
        near = sum((q[d] - keys[:, d]) ** 2 for d in range(len(q))) ** 0.5
        if (near <= radius + 1e-9).any():
            j = min(range(len(words)), key=lambda j: float(np.sum((places[j] - blends[i]) ** 2)))
            answers[i] = words[j]
    return answers
