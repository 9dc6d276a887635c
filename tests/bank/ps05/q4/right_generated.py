def steps():
    scores, values = "softmax({} / sqrt(d_k)) @ ({})", "P @ V"
    yield scores.format("Q @ (P @ K).T", values), "definition"
    yield scores.format("Q @ (K.T @ P.T)", values), "transpose"
    yield scores.format("Q @ K.T @ P.T", values), "associativity"
    yield f"softmax((Q @ K.T / sqrt(d_k)) @ P.T) @ ({values})", "scalar"
    weights = "softmax(Q @ K.T / sqrt(d_k))"
    for tail, rule in [
        ("P.T @ (P @ V)", "softmax columns"),
        ("(P.T @ P) @ V", "associativity"),
        ("I @ V", "permutation"),
    ]:
        yield f"{weights} @ {tail}", rule
    yield f"{weights} @ V", "identity"
    yield "attention(Q, K, V)", "definition"


def proof():
    return list(steps())
