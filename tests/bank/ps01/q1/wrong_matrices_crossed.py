# points: 0
# message: have changed places where they are put side by side


def conv1d(x, W, b):
    k, d_in, d_out = W.shape
    windows = np.stack([x[..., i : i + k, :] for i in range(x.shape[-2] - k + 1)], axis=-3)
    return windows.reshape(*windows.shape[:-2], k * d_in) @ W.transpose(1, 0, 2).reshape(k * d_in, d_out) + b
