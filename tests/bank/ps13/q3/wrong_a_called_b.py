# points: 1.5
# message: does not see fault A


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
        return "B"
    if tokens != [1, 2, 3, 4, 5, 6]:
        return "B"
    if passes != 3:
        return "D"
    tokens, passes = unknown(large, with_right(3), [0], 3, 6)
    if tokens != [1, 2, 3, 4, 5, 6]:
        return "E"
    return "C" if unknown(large, with_right(3), [0], 3, 4)[1] != 1 else "right"
