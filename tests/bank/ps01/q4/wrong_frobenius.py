# points: 0
# message: You use the Frobenius norm
def gradient_norms(states, W_h):
    norms, J = [], np.eye(len(W_h))
    for h in states[::-1]:
        norms.insert(0, np.linalg.norm(J))
        J = W_h @ np.diag(1 - h**2) @ J
    return np.array(norms)
