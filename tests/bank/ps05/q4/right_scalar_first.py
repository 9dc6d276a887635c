def proof():
    return [
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax((Q / sqrt(d_k)) @ (P @ K).T) @ (P @ V)", "scalar"),
        ("softmax((Q / sqrt(d_k)) @ (K.T @ P.T)) @ (P @ V)", "transpose"),
        ("softmax(((Q / sqrt(d_k)) @ K.T) @ P.T) @ (P @ V)", "associativity"),
        ("(softmax((Q / sqrt(d_k)) @ K.T) @ P.T) @ (P @ V)", "softmax columns"),
        ("softmax((Q / sqrt(d_k)) @ K.T) @ (P.T @ (P @ V))", "associativity"),
        ("softmax((Q / sqrt(d_k)) @ K.T) @ ((P.T @ P) @ V)", "associativity"),
        ("softmax((Q / sqrt(d_k)) @ K.T) @ (I @ V)", "permutation"),
        ("softmax((Q / sqrt(d_k)) @ K.T) @ V", "identity"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ V", "scalar"),
        ("attention(Q, K, V)", "definition"),
    ]
