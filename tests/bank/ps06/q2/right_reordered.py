def shift_matrix(delta, frequencies):
    n = len(frequencies)
    alternating = np.zeros((n, 2, n, 2))  # as in the chapter: hand, sine or cosine
    for k, a in enumerate(delta * np.asarray(frequencies)):
        alternating[k, :, k, :] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    return alternating.transpose(1, 0, 3, 2).reshape(2 * n, 2 * n)
