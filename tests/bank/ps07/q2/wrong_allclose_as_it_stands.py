# points: 2
# message: where torch.allclose forgives it


def influence(f, x):
    L, d = x.shape
    y, result = f(x), torch.zeros(L, L, dtype=torch.bool)
    for j in range(L):
        z = x.clone()
        z[j] += 0.1 * torch.rand(d, dtype=x.dtype, generator=torch.Generator().manual_seed(j)) + 0.01
        for i, row in enumerate(f(z)):
            result[i, j] = not torch.allclose(row, y[i])
    return result
