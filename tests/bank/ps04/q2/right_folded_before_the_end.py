def equivariance():
    scores = "X @ W_Q @ (X @ W_K).T"
    return (
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        (f"softmax(P @ ({scores}) @ P.T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        (f"softmax(P @ ({scores} / sqrt(d_k)) @ P.T) @ (P @ (X @ W_V))", "scalar"),
        (f"softmax(P @ ({scores} / sqrt(d_k))) @ P.T @ (P @ (X @ W_V))", "softmax columns"),
        (f"P @ softmax({scores} / sqrt(d_k)) @ P.T @ (P @ (X @ W_V))", "softmax rows"),
        (f"P @ (softmax({scores} / sqrt(d_k)) @ (P.T @ (P @ (X @ W_V))))", "associativity"),
        ("P @ attention(X @ W_Q, X @ W_K, P.T @ (P @ (X @ W_V)))", "definition"),
        ("P @ attention(X @ W_Q, X @ W_K, P.T @ P @ (X @ W_V))", "associativity"),
        ("P @ attention(X @ W_Q, X @ W_K, I @ (X @ W_V))", "permutation"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "identity"),
    )
