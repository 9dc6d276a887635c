# points: 0
# message: Step 2 is the first that fails. False


def proof():
    return [
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax(Q @ (K.T @ P) / sqrt(d_k)) @ (P @ V)", "transpose"),
        ("softmax(Q @ K.T @ P / sqrt(d_k)) @ (P @ V)", "associativity"),
        ("softmax((Q @ K.T / sqrt(d_k)) @ P) @ (P @ V)", "scalar"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ P @ (P @ V)", "softmax columns"),
    ]
