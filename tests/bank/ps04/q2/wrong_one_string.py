# points: 0
# message: does not return a proof


def equivariance():
    return "attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V)) by associativity"
