def softmax(x, axis):
    x = np.asarray(x)  # float32 stays float32
    m = np.amax(x, axis, keepdims=True)
    log_sum = m + np.log(np.sum(np.exp(x - m), axis, keepdims=True, dtype=np.float64))
    return np.exp(x - log_sum).astype(np.float32)
