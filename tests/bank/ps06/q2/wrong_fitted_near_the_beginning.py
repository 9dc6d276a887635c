# points: 1
# message: The shape


def shift_matrix(delta, frequencies):
    n = len(frequencies)
    positions = np.linspace(0.0, 3.0, 4 * n + 1)[:, None]

    def phi(i):
        return np.concatenate([np.sin(i * frequencies), np.cos(i * frequencies)], axis=1)

    R, *_ = np.linalg.lstsq(phi(positions), phi(positions + delta), rcond=1e-9)
    return R
