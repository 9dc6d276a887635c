class Dictionary:
    def __init__(self, keys, values):
        self.keys = self.unit(np.asarray(keys, dtype=np.float32))
        self.values = np.asarray(values, dtype=np.float32)

    @staticmethod
    def unit(x):
        return x / np.linalg.norm(x, axis=-1, keepdims=True)

    def look_up(self, queries, beta):
        s = np.float32(beta) * (self.unit(np.asarray(queries, dtype=np.float32)) @ self.keys.swapaxes(-1, -2))
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        w = e / e.sum(axis=-1, keepdims=True)
        return w @ self.values, w


def cosine_lookup(queries, keys, values, beta):
    return Dictionary(keys, values).look_up(queries, beta)
