# points: 0
# message: The derivative of tanh is missing
def gradient_norms(states, W_h):
    norms, J = [], np.eye(len(W_h))
    for _ in states[::-1]:
        norms.insert(0, np.linalg.norm(J, 2))
        J = W_h @ J
    return np.array(norms)
