def seconds(model, machine, texts, length, new):
    cache = np.prod([2, texts, length, model["layers"], model["kv_heads"], model["head_dim"]], dtype=float)
    fetched = np.array([model["weights"], cache]) * model["bytes_each"] / machine["bytes_a_second"]
    rows = texts * new
    return dict(
        weights=fetched[0],
        caches=fetched[1],
        arithmetic=np.float64(rows) * model["weights"] / (machine["operations_a_second"] / 2),
    )


def tokens_a_second(times, texts, tokens):
    by_fetching = texts * tokens / (times["weights"] + times["caches"])
    by_arithmetic = texts * tokens / times["arithmetic"]
    return np.minimum(by_fetching, by_arithmetic)
