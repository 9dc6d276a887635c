def proof():
    return (
        ["softmax(1/sqrt(d_k) * (Q @ (P @ K).T)) @ (P @ V)", "Definition"],
        ["softmax(1/sqrt(d_k) * (Q @ (K.T @ P.T))) @ (P @ V)", "Transpose"],
        ["softmax(Q @ (1/sqrt(d_k) * K.T @ P.T)) @ (P @ V)", "Scalar"],
        ["softmax((Q @ (1/sqrt(d_k) * K.T)) @ P.T) @ (P @ V)", "Associativity"],
        ["softmax(Q @ (1/sqrt(d_k) * K.T)) @ P.T @ (P @ V)", "Softmax columns"],
        ["softmax(Q @ (1/sqrt(d_k) * K.T)) @ (P.T @ P) @ V", "Associativity"],
        ["softmax(Q @ (1/sqrt(d_k) * K.T)) @ I @ V", "Permutation"],
        ["softmax(Q @ (1/sqrt(d_k) * K.T)) @ V", "Identity"],
        ["softmax(Q @ K.T / sqrt(d_k)) @ V", "Scalar"],
        ["attention(Q, K, V)", "Definition"],
    )
