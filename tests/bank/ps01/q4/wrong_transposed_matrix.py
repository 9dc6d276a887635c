# points: 0
# message: multiplies the columns of W_h
def gradient_norms(states, W_h):
    norms, J = [], np.eye(len(W_h))
    for h in states[::-1]:
        norms.insert(0, np.linalg.norm(J, 2))
        J = W_h.T @ np.diag(1 - h**2) @ J
    return np.array(norms)
