def shift_right(targets):
    out = np.roll(targets, 1, axis=1)
    out[:, 0] = BOS_ID
    return out.astype(np.int16)


def knows(allowed, n):
    if n == 0:
        return np.identity(len(allowed), dtype=np.float16)
    before = knows(allowed, n - 1)
    return np.minimum(1, before + before @ allowed.astype(np.float16))


def sees_answer(allowed, n_layers, ahead):
    table = knows(allowed, n_layers) > 0
    return [bool(i + ahead < len(table) and table[i, i + ahead]) for i in range(len(table))]
