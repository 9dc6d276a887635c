# points: 0
# message: Step 5 is the first that fails: true, but not one step: 'scalar' leads from the line before to


def equivariance():
    return [
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T) @ P.T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T) / sqrt(d_k)) @ P.T @ (P @ (X @ W_V))", "softmax columns"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T @ (P @ (X @ W_V))", "softmax rows"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ ((P.T @ P) @ (X @ W_V)))", "associativity"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (I @ (X @ W_V)))", "permutation"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (X @ W_V))", "identity"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "definition"),
    ]
