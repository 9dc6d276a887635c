conv1d = lambda x, W, b: (
    [conv1d(sentence, W, b) for sentence in x]
    if x.ndim > 2
    else [
        [
            float(b[o]) + sum(x[i + j, c] * W[j, c, o] for j in range(len(W)) for c in range(x.shape[1]))
            for o in range(len(b))
        ]
        for i in range(len(x) - len(W) + 1)
    ]
)
