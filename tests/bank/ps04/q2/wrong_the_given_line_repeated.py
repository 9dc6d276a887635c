# points: 0
# message: Your one step holds: go on from it


def equivariance():
    return [
        ("attention(P @ X @ W_Q, P @ X @ W_K, P @ X @ W_V)", "definition"),
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V)", "definition"),
    ]
