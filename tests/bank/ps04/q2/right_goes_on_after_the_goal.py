def equivariance():
    S = "X @ W_Q @ (X @ W_K).T / sqrt(d_k)"
    return [
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T) @ P.T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        (f"softmax(P @ ({S}) @ P.T) @ (P @ (X @ W_V))", "scalar"),
        (f"softmax(P @ ({S})) @ P.T @ (P @ (X @ W_V))", "softmax columns"),
        (f"P @ softmax({S}) @ P.T @ (P @ (X @ W_V))", "softmax rows"),
        (f"P @ (softmax({S}) @ ((P.T @ P) @ (X @ W_V)))", "associativity"),
        (f"P @ (softmax({S}) @ (I @ (X @ W_V)))", "permutation"),
        (f"P @ (softmax({S}) @ (X @ W_V))", "identity"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "definition"),
        (f"P @ (softmax({S}) @ (X @ W_V))", "definition"),
    ]
