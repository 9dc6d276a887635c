# points: 0
# message: Step 6 is the first that fails: true, but not one step: 'associativity' leads from the line before to


def equivariance():
    S = "(X @ W_Q) @ (X @ W_K).T / sqrt(d_k)"
    return [
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V)", "definition"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ ((X @ W_Q) @ (X @ W_K).T) @ P.T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        (f"softmax(P @ ({S}) @ P.T) @ (P @ (X @ W_V))", "scalar"),
        (f"P @ softmax(({S}) @ P.T) @ (P @ (X @ W_V))", "softmax rows"),
    ]
