# points: 2
# message: take turns


def layer(x, w, n_heads, n_kv_heads):
    return broken(x, w, n_heads, n_kv_heads)


def diagnosis():
    return {4: "B", 5: "A", 7: "C", 9: "D"}
