# points: 0
# message: Step 1 is the first that fails: nothing changes


def equivariance():
    return [
        ("attention(P @ X @ W_Q, P @ X @ W_K, P @ X @ W_V)", "definition"),
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V)", "definition"),
    ]
