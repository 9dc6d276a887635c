# points: 2
# message: the number is rounded


def seconds(model, machine, texts, length, new):
    rate = machine["bytes_a_second"]
    size = model["bytes_each"]
    a_token = 2 * model["layers"] * model["kv_heads"] * model["head_dim"]
    weights = model["weights"] * size / rate
    caches = texts * length * a_token * size / rate
    arithmetic = 2 * model["weights"] * texts * new / machine["operations_a_second"]
    return {"weights": weights, "caches": caches, "arithmetic": arithmetic}


def tokens_a_second(times, texts, tokens):
    fetching = times["weights"] + times["caches"]
    return round(texts * tokens / max(fetching, times["arithmetic"]))
