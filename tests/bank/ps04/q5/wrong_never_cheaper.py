# points: 0
# message: Your result is 0, which is not right. Inputs: d =


def cheaper_up_to(d, d_k, d_v, n_gates):
    return 0
