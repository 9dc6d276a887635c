# points: 0
# message: You multiply norms
def gradient_norms(states, W_h):
    norms, left = [], 1.0
    for h in states[::-1]:
        norms.insert(0, left)
        left *= np.linalg.norm(W_h @ np.diag(1 - h**2), 2)
    return np.array(norms)
