def shift_matrix(delta, frequencies):
    """e to the power of Δ times the generator, by its eigenvalues."""
    n = len(frequencies)
    U = np.block([[np.eye(n), np.eye(n)], [1j * np.eye(n), -1j * np.eye(n)]]) / np.sqrt(2)
    phases = np.exp(1j * delta * np.concatenate([frequencies, -frequencies]))
    return ((U.conj() * phases) @ U.T).real
