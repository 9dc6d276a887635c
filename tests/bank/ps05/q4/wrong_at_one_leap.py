# points: 0
# message: Step 1 is the first that fails. True, but not one step


def proof():
    return [("attention(Q, K, V)", "permutation")]
