def original_weights(weights, order):
    shape = weights.shape
    rows = weights.reshape(-1, *shape[-2:])
    out = []
    for block, o in zip(rows, order.reshape(-1, shape[-1]), strict=True):
        columns = sorted(zip(o.tolist(), block.T.tolist(), strict=True))
        out.append(np.array([column for _, column in columns]).T)
    return np.array(out).reshape(shape)


total_order = lambda first, second: [first[i] for i in second]  # noqa: E731
