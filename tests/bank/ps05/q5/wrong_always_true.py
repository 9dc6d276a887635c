# points: 0
# message: lets through an attention that is not invariant


def is_invariant(attention):
    return True
