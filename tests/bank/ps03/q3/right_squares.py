def decode(queries, keys, radius, blends, places, words):
    answers = []
    for i in range(len(queries)):
        if ((queries[i] - keys) ** 2).sum(axis=1).min() > radius**2:
            answers.append(None)
        else:
            answers.append(words[np.argmin(((places - blends[i]) ** 2).sum(axis=1))])
    return answers
