class Heads:
    def __init__(self, n):
        self.n = n

    def split(self, x):
        d = x.shape[-1] // self.n
        out = np.zeros((*x.shape[:-2], self.n, x.shape[-2], d), dtype=np.float32)
        for h in range(self.n):
            out[..., h, :, :] = x[..., h * d : h * d + d]
        return out


def split_heads(x, n_heads):
    return Heads(n_heads).split(x)


def merge_heads(x):
    d = x.shape[-1]
    columns = [x[..., c // d, :, c % d] for c in range(x.shape[-3] * d)]
    return np.stack(columns, axis=-1)
