def proof():
    return [
        ("attention(Q, P @ K, P @ V)", "given"),
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax(Q @ (K.T @ P.T) / sqrt(d_k)) @ (P @ V)", "transpose"),
        ("softmax((Q @ K.T) @ P.T / sqrt(d_k)) @ (P @ V)", "associativity"),
        ("softmax((Q @ K.T / sqrt(d_k)) @ P.T) @ (P @ V)", "scalar"),
        ("(softmax(Q @ K.T / sqrt(d_k)) @ P.T) @ (P @ V)", "softmax columns"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ ((P.T @ P) @ V)", "associativity"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ (I @ V)", "permutation"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ V", "identity"),
        ("attention(Q, K, V)", "definition"),
    ]
