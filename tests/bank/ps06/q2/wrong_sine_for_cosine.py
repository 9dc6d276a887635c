# points: 0
# message: Sine and cosine have changed places


def shift_matrix(delta, frequencies):
    c, s = np.diag(np.cos(delta * frequencies)), np.diag(np.sin(delta * frequencies))
    return np.block([[s, -c], [c, s]])
