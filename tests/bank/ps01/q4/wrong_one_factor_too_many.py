# points: 0
# message: Your product has one factor too many
def gradient_norms(states, W_h):
    norms, J = [], np.eye(len(W_h))
    for h in states[::-1]:
        J = W_h @ np.diag(1 - h**2) @ J
        norms.insert(0, np.linalg.norm(J, 2))
    return np.array(norms)
