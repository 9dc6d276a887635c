# points: 0
# message: NotImplementedError


def cheaper_up_to(d, d_k, d_v, n_gates):
    raise NotImplementedError
