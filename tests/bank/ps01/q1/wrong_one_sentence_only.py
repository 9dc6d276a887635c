# points: 3
# message: Your code stops with
def conv1d(x, W, b):
    length, d_in = x.shape
    k = W.shape[0]
    return np.array([sum(x[i + j] @ W[j] for j in range(k)) + b for i in range(length - k + 1)])
