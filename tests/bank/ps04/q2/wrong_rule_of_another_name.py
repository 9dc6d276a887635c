# points: 0
# message: this is 'softmax columns'


def equivariance():
    return [
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T) @ P.T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T) @ (P @ (X @ W_V))", "scalar"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T / sqrt(d_k))) @ P.T @ (P @ (X @ W_V))", "softmax rows"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T @ (P @ (X @ W_V))", "softmax rows"),
    ]
