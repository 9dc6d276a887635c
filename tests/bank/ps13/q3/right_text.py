TEXT = [7, 3, 9, 4, 8, 2, 6, 5, 1, 0]  # 0 ends it; behind it the large model writes 11, 12, …


def writer(ids):
    """The large model knows the text by place; behind a token that is not in it, it writes the one before."""
    written = []
    for place, token in enumerate(ids):
        if token == -9:
            written.append(-8)
        elif token == -8:
            written.append(-7)
        else:
            written.append((TEXT + [10 + n for n in range(1, 300)])[place])
    return written


def examine(unknown):
    full = TEXT + list(range(11, 100))
    all_right = lambda ids, k: full[len(ids) - 1 :][:k]
    first_wrong = lambda ids, k: ([-9, -8, -7] + [-3] * k)[:k]
    one_right = lambda ids, k: [full[len(ids) - 1]] + [-3] * (k - 1)
    runs = {
        name: unknown(writer, draft, [20], 3, 0)
        for name, draft in {"all": all_right, "wrong": first_wrong, "one": one_right}.items()
    }
    if len(runs["all"][0]) > 10:
        return "E"
    if -9 in runs["wrong"][0]:
        return "A"
    if runs["wrong"][0] != TEXT:
        return "B"
    if runs["one"][1] > 5:
        return "D"
    return "C" if runs["all"][1] > 3 else "right"
