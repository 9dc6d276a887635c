# points: 0
# message: wide_queries returns shape


def wide_queries(queries, h):
    return queries / h**2


def wide_keys(keys, h):
    return keys
