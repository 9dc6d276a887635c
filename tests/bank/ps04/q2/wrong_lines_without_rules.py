# points: 0
# message: does not return a proof


def equivariance():
    return [
        "attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))",
        "P @ attention(X @ W_Q, X @ W_K, X @ W_V)",
    ]
