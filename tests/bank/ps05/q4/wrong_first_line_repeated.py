# points: 0
# message: Step 1 is the first that fails. Nothing changes


def proof():
    return [
        ("attention(Q, P @ K, P @ V)", "definition"),
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax(Q @ (K.T @ P.T) / sqrt(d_k)) @ (P @ V)", "transpose"),
    ]
