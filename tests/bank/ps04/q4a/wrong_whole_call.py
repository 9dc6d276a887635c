# points: 0
# message: There is no line L


def first_step():
    return "look_back_attention(Q, K, V, w)"
