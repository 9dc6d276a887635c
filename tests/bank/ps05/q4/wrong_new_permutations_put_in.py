# points: 0
# message: Every step holds, but the proof is not at its end


def proof():
    return [
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ I @ (P @ V)", "identity"),
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ P.T) @ (P @ V)", "permutation"),
    ]
