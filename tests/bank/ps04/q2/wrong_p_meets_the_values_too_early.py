# points: 3
# message: Step 8 is the first that fails: true, but not one step: besides 'permutation', brackets or scalars move


def equivariance():
    return [
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T) @ P.T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T) @ (P @ (X @ W_V))", "scalar"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T / sqrt(d_k))) @ P.T @ (P @ (X @ W_V))", "softmax columns"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T @ (P @ (X @ W_V))", "softmax rows"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ I @ (X @ W_V)", "permutation"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (X @ W_V)", "identity"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (X @ W_V))", "associativity"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "definition"),
    ]
