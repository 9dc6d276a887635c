def _phi(i, w):
    return np.concatenate([np.sin(w * i), np.cos(w * i)])


def shift_matrix(delta, frequencies):
    w = np.array(frequencies, dtype=float)
    n = len(w)
    c, s = np.cos(w * delta), np.sin(w * delta)

    def moved(row):
        sin_i, cos_i = row[:n], row[n:]
        return np.concatenate([sin_i * c + cos_i * s, cos_i * c - sin_i * s])

    R = np.stack([moved(unit) for unit in np.identity(2 * n)])
    for i in (0.0, 1.0, -3.5):
        assert np.allclose(_phi(i + delta, w), _phi(i, w) @ R, atol=1e-6)
    return R
