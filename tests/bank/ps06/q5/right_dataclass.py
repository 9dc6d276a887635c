from dataclasses import dataclass


@dataclass
class Cache:
    keys: torch.Tensor
    values: torch.Tensor

    def grown(self, k, v):
        pad = torch.nn.functional.pad
        K, V = pad(self.keys, (0, 0, 0, 1)), pad(self.values, (0, 0, 0, 1))
        K[:, -1], V[:, -1] = k, v
        return Cache(K, V)


def step(x, keys, values, phi, W_Q, W_K, W_V):
    here = torch.add(x, phi.select(0, keys.size(-2)))
    cache = Cache(keys, values).grown(here.matmul(W_K), here.matmul(W_V))
    scores = torch.bmm(cache.keys, (here @ W_Q)[..., None])[..., 0] / np.sqrt(keys.size(-1))
    e = torch.exp(scores - scores.max(1, keepdim=True).values)
    weights = e / e.sum(1, keepdim=True)
    return (weights[:, :, None] * cache.values).sum(1), cache.keys, cache.values
