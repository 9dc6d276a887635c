# points: 0
# message: Step 1 is the first that fails: true, but not one step


def equivariance():
    return [("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "permutation")]
