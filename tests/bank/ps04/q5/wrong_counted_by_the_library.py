# points: 0
# message: attention_cost is called

from course_lib import functional


def square_leads_from(d, d_k, d_v):
    L = 1
    while functional.attention_cost(L, L, d_k, d_v).multiply_adds < L * d * (2 * d_k + d_v):
        L += 1
    return L


def cheaper_up_to(d, d_k, d_v, n_gates):
    return max(0, (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) // (d_k + d_v))
