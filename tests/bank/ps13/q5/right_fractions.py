from fractions import Fraction


def seconds(model, machine, texts, length, new):
    bytes_a_second = Fraction(machine["bytes_a_second"])
    rows = {"weights": model["weights"], "caches": 0}
    for _ in range(model["layers"]):
        for _ in ("keys", "values"):
            rows["caches"] += texts * length * model["kv_heads"] * model["head_dim"]
    times = {name: n * model["bytes_each"] / bytes_a_second for name, n in rows.items()}
    products = sums = model["weights"] * new * texts
    return {"arithmetic": Fraction(products + sums) / Fraction(machine["operations_a_second"]), **times}


def tokens_a_second(times, texts, tokens):
    of_pass = times["arithmetic"]
    if times["weights"] + times["caches"] > of_pass:
        of_pass = times["weights"] + times["caches"]
    return tokens / of_pass * texts
