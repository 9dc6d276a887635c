# points: 0
# message: Every step holds, but the proof is not at its end


def proof():
    written_out = ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition")
    back = ("attention(Q, P @ K, P @ V)", "definition")
    return [written_out, back, written_out, back, written_out]
