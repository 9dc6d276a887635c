# points: 2.5
# message: operations do not depend on bytes_each


def seconds(model, machine, texts, length, new):
    n = model["weights"]
    cache = texts * length * model["layers"] * 2 * model["kv_heads"] * model["head_dim"]
    return {
        "weights": n * model["bytes_each"] / machine["bytes_a_second"],
        "caches": cache * model["bytes_each"] / machine["bytes_a_second"],
        "arithmetic": model["bytes_each"] * n * texts * new / machine["operations_a_second"],
    }


def tokens_a_second(times, texts, tokens):
    return texts * tokens / max(times["weights"] + times["caches"], times["arithmetic"])
