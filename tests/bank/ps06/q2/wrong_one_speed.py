# points: 1
# message: All your hands turn by the angle of the first


def shift_matrix(delta, frequencies):
    I, a = np.eye(len(frequencies)), delta * frequencies[0]
    return np.block([[np.cos(a) * I, -np.sin(a) * I], [np.sin(a) * I, np.cos(a) * I]])
