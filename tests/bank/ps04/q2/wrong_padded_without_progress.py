# points: 0
# message: All your 3 steps hold


def equivariance():
    return [
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V)", "definition"),
        ("softmax(I @ (P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k))) @ (P @ X @ W_V)", "identity"),
        ("softmax(P.T @ P @ (P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k))) @ (P @ X @ W_V)", "permutation"),
    ]
