# points: 0
# message: is 1 − h², not 1 − h
def gradient_norms(states, W_h):
    norms, J = [], np.eye(len(W_h))
    for h in states[::-1]:
        norms.insert(0, np.linalg.norm(J, 2))
        J = W_h @ np.diag(1 - h) @ J
    return np.array(norms)
