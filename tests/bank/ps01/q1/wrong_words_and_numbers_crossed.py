# points: 0
# message: have changed places where they are put side by side


def conv1d(x, W, b):
    k, d_in, d_out = W.shape
    windows = np.lib.stride_tricks.sliding_window_view(x, k, axis=-2)  # (…, n, d_in, k)
    return windows.reshape(*windows.shape[:-2], k * d_in) @ W.reshape(k * d_in, d_out) + b
