# points: 0
# message: Your one step holds


def equivariance():
    return [("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V)", "definition")]
