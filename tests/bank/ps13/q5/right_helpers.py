def fetch(numbers, model, machine):
    return numbers * model["bytes_each"] / machine["bytes_a_second"]


def seconds(model, machine, texts, length, new):
    key_and_value = 2 * model["head_dim"] * model["kv_heads"] * model["layers"]
    return {
        "weights": fetch(model["weights"], model, machine),
        "caches": sum(fetch(length * key_and_value, model, machine) for _ in range(texts)),
        "arithmetic": new * texts * 2.0 * model["weights"] / machine["operations_a_second"],
    }


def tokens_a_second(times, texts, tokens):
    a_pass = sorted([times["weights"] + times["caches"], times["arithmetic"]])[-1]
    return texts * tokens * a_pass**-1
