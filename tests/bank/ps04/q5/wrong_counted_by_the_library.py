# points: 0
# message: attention_cost is called

from course_lib import functional


def cheaper_up_to(d, d_k, d_v, n_gates):
    best = 0
    for L in range(1, 2000):
        mechanism = functional.attention_cost(L, L, d_k, d_v).multiply_adds
        if mechanism + L * d * (2 * d_k + d_v) <= L * n_gates * d_v * (d + d_v):
            best = L
    return best
