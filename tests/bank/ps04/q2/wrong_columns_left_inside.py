# points: 0
# message: All your 6 steps hold


def equivariance():
    return [
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        ("softmax(P @ ((X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T)) @ (P @ (X @ W_V))", "scalar"),
        ("P @ softmax((X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T) @ (P @ (X @ W_V))", "softmax rows"),
    ]
