# points: 0
# message: returns the checker's report; expected is the list


def equivariance():
    return check(EQUIVARIANCE, [("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity")])
