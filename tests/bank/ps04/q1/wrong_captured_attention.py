# points: 0
# message: is called


from course_lib.functional import attention


def self_attention(X, W, d_k, ready=attention):
    return ready(*np.split(X @ W, [d_k, 2 * d_k], axis=-1))
