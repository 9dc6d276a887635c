# points: 0
# message: expected is 'right' or a letter


def examine(unknown):
    def large(ids):
        return [t + 1 for t in ids]

    def with_right(r):
        def draft(ids, k):
            t = ids[-1] + 1
            return [t + j if j < r else t + j + 100 for j in range(k)]

        return draft

    tokens, passes = unknown(large, with_right(1), [0], 3, 6)
    if 102 in tokens:
        return False
    if tokens != [1, 2, 3, 4, 5, 6]:
        return False
    if passes != 3:
        return False
    tokens, passes = unknown(large, with_right(3), [0], 3, 6)
    if tokens != [1, 2, 3, 4, 5, 6]:
        return False
    return unknown(large, with_right(3), [0], 3, 4)[1] == 1
