# points: 0
# message: Step 1 is the first that fails. True, but not one step


def proof():
    return [
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ P @ V", "definition"),
        ("softmax(Q @ (K.T @ P.T) / sqrt(d_k)) @ P @ V", "transpose"),
        ("softmax(Q @ K.T @ P.T / sqrt(d_k)) @ P @ V", "associativity"),
    ]
