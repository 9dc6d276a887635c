# points: 0
# message: 'definition' leads from the line before to softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V), and 'associativity' from there


def equivariance():
    return [
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ P @ X @ W_V", "definition"),
        ("softmax(P @ X @ W_Q @ W_K.T @ X.T @ P.T / sqrt(d_k)) @ P @ X @ W_V", "transpose"),
        ("softmax(P @ X @ W_Q @ W_K.T @ X.T / sqrt(d_k)) @ P.T @ P @ X @ W_V", "softmax columns"),
        ("P @ softmax(X @ W_Q @ W_K.T @ X.T / sqrt(d_k)) @ P.T @ P @ X @ W_V", "softmax rows"),
        ("P @ softmax(X @ W_Q @ W_K.T @ X.T / sqrt(d_k)) @ X @ W_V", "permutation"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "definition"),
    ]
