# points: 3
# message: Your
def conv1d(x, W, b):
    k = W.shape[0]
    return np.array([sum(x[i + j] @ W[j] for j in range(k)) + b for i in range(x.shape[0] - k + 1)])
