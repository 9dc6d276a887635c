# points: 0
# message: Step 1 is the first that fails: cannot be read


def equivariance():
    return [("attention(P @ Q, P @ K, P @ V)", "definition")]
