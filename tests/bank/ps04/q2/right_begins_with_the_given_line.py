def equivariance():
    S = "X @ W_Q @ (X @ W_K).T / sqrt(d_k)"
    steps = [
        ["attention(P @ X @ W_Q, P @ X @ W_K, P @ X @ W_V)", "given"],
        ["attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "Associativity"],
        ["softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "Definition"],
        ["softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "Transpose"],
        ["softmax(P @ (X @ W_Q @ (X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "Associativity"],
    ]
    steps += [
        [f"softmax(P @ (({S}) @ P.T)) @ (P @ (X @ W_V))", "Scalar"],
        [f"P @ softmax(({S}) @ P.T) @ (P @ (X @ W_V))", "Softmax rows"],
        [f"P @ (softmax({S}) @ P.T) @ (P @ (X @ W_V))", "Softmax columns"],
        [f"P @ (softmax({S}) @ (P.T @ P @ (X @ W_V)))", "Associativity"],
        [f"P @ (softmax({S}) @ (I @ (X @ W_V)))", "Permutation"],
        ["P @ attention(X @ W_Q, X @ W_K, I @ (X @ W_V))", "Definition"],
        ["P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "Identity"],
    ]
    return steps
