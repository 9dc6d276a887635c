# points: 0
# message: course_lib.model.attention.attention is called


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    from course_lib import model as layers

    Q, K, V = (x.unflatten(-1, (n_heads, -1)).movedim(-2, -3) for x in (X_q @ W_Q, X_kv @ W_K, X_kv @ W_V))
    found, weights = layers.attention(Q, K, V)
    return found.movedim(-3, -2).flatten(-2) @ W_O, weights
