def writes(M, e):
    def written(u):
        y = M @ u + e
        return y - y.mean()

    start = written(np.zeros(M.shape[1]))
    columns = [written(u) - start for u in np.eye(M.shape[1])]
    return np.stack(columns, axis=1), start


def reads(W, c, gain, bias):
    def read(z):
        return W @ (gain * z + bias) + c

    start = read(np.zeros(len(gain)))
    return np.array([read(z) - start for z in np.eye(len(gain))]).T, start
