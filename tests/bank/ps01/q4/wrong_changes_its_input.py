# points: 0
# message: changes its inputs in place


def gradient_norms(states, W_h):
    squares = np.asarray(states, dtype=float)
    np.square(squares, out=squares)
    J = np.eye(len(W_h))
    norms = [1.0]
    for s in squares[:0:-1]:
        J = W_h @ np.diag(1 - s) @ J
        norms.insert(0, np.linalg.norm(J, 2))
    return np.array(norms)
