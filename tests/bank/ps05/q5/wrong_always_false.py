# points: 0
# message: turns away an attention that is invariant: plain attention


def is_invariant(attention):
    return False
