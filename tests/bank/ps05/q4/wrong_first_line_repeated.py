# points: 1
# message: Every step holds, but the proof is not at its end


def proof():
    return [
        ("attention(Q, P @ K, P @ V)", "definition"),
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax(Q @ (K.T @ P.T) / sqrt(d_k)) @ (P @ V)", "transpose"),
    ]
