# points: 1
# message: Step 5 is the first that fails


def proof():
    return [
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax(Q @ (K.T @ P.T) / sqrt(d_k)) @ (P @ V)", "transpose"),
        ("softmax((Q @ K.T) @ P.T / sqrt(d_k)) @ (P @ V)", "associativity"),
        ("softmax((Q @ K.T / sqrt(d_k)) @ P.T) @ (P @ V)", "scalar"),
        ("(P.T @ softmax(Q @ K.T / sqrt(d_k))) @ (P @ V)", "softmax rows"),
        ("attention(Q, K, V)", "definition"),
    ]
