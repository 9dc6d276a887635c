def proof():
    weights = "softmax(Q @ K.T / sqrt(d_k))"
    steps = []
    steps.append(["softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"])
    steps.append(["softmax(Q @ (K.T @ P.T) / sqrt(d_k)) @ (P @ V)", "transpose"])
    steps.append(["softmax(1 / sqrt(d_k) * ((Q @ K.T) @ P.T)) @ (P @ V)", "associativity"])
    steps.append(["softmax((Q @ K.T / sqrt(d_k)) @ P.T) @ (P @ V)", "scalar"])
    steps.append([weights + " @ P.T @ (P @ V)", "softmax columns"])
    steps.append([weights + " @ (P.T @ (P @ V))", "associativity"])
    steps.append(["attention(Q, K, P.T @ (P @ V))", "definition"])
    steps.append(["attention(Q, K, P.T @ P @ V)", "associativity"])
    steps.append(["attention(Q, K, I @ V)", "permutation"])
    steps.append(["attention(Q, K, V)", "identity"])
    return steps
