# points: 0
# message: Step 2 is the first that fails


def proof():
    return [
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax(Q @ (P.T @ K.T) / sqrt(d_k)) @ (P @ V)", "transpose"),
    ]
