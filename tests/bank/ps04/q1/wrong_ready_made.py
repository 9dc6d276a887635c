# points: 0
# message: course_lib.functional.attention.attention is called

from course_lib import functional


def self_attention(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    return functional.attention(Q, K, V)
