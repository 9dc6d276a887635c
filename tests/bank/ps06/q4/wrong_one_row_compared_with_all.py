# points: 1
# message: to_sum: you return None for some pairs that have a matrix


def to_pair(W, d_pos):
    return np.vstack([W, W[:d_pos]])


def to_sum(W, d):
    top, extra = W[:d], W[d:]
    if len(extra) == 1:
        agree = (top == extra).all()
    else:
        agree = (top[: len(extra)] == extra).all()
    return top if agree else None
