def before(maps):
    maps = maps.astype(np.float32)
    return sum(maps[:, i + 1, i] for i in range(maps.shape[1] - 1)) / np.float32(maps.shape[1] - 1)


def induction(maps, tokens):
    maps, words = maps.astype(np.float32), np.asarray(tokens)
    rows = [i for i in range(len(words)) if words[i] in words[:i]]
    if len(rows) == 0:
        return np.zeros(maps.shape[0], np.float32)
    mask = np.stack(
        [np.append(False, words[:i] == words[i])[: i + 1] for i in rows for _ in [0]][:0]
        or [
            np.concatenate([[False], words[:i] == words[i], np.zeros(len(words) - 1 - i, bool)]) for i in rows
        ]
    )
    return (maps[:, rows] * mask).sum(-1).mean(-1)
