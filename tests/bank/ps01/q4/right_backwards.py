def gradient_norms(states, W_h):
    norms, J = [], np.eye(len(W_h))
    for h in states[::-1]:
        norms.insert(0, np.linalg.norm(J, 2))
        J = (W_h * (1 - h**2)) @ J
    return np.array(norms)
