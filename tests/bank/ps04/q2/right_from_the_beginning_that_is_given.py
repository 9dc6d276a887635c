def equivariance():
    S = "(X @ W_Q @ (X @ W_K).T)"
    V = "(P @ (X @ W_V))"
    return beginning + [
        (f"softmax(P @ ({S} @ P.T) / sqrt(d_k)) @ {V}", "associativity"),
        (f"softmax(P @ ({S} @ P.T / sqrt(d_k))) @ {V}", "scalar"),
        (f"P @ softmax({S} @ P.T / sqrt(d_k)) @ {V}", "softmax rows"),
        (f"P @ softmax(({S} / sqrt(d_k)) @ P.T) @ {V}", "scalar"),
        (f"P @ (softmax({S} / sqrt(d_k)) @ P.T) @ {V}", "softmax columns"),
        (f"P @ (softmax({S} / sqrt(d_k)) @ (P.T @ P @ (X @ W_V)))", "associativity"),
        (f"P @ (softmax({S} / sqrt(d_k)) @ (I @ (X @ W_V)))", "permutation"),
        (f"P @ (softmax({S} / sqrt(d_k)) @ (X @ W_V))", "identity"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "definition"),
    ]
