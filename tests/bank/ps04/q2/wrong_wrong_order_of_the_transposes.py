# points: 0
# message: Step 3 is the first that fails


def equivariance():
    return [
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ (P.T @ (X @ W_K).T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
    ]
