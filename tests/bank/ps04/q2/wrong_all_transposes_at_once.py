# points: 0
# message: Step 2 is the first that fails: true, but not one step: it takes 'transpose' twice


def equivariance():
    return [
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V)", "definition"),
        ("softmax(P @ X @ W_Q @ (W_K.T @ X.T @ P.T) / sqrt(d_k)) @ (P @ X @ W_V)", "transpose"),
    ]
