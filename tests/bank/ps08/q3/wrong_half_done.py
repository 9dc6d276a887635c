# points: 1
# message: NotImplementedError


def shift_right(targets):
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    raise NotImplementedError
