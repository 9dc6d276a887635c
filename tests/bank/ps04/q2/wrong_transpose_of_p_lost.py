# points: 0
# message: Step 3 is the first that fails: false


def equivariance():
    return [
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T) @ P / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
    ]
