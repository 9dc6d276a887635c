def influence(f, x):
    L = x.shape[0]
    rows = []
    for i in range(L):
        leaf = x.clone().detach().requires_grad_()
        y = f(leaf)
        found = torch.zeros(L, dtype=torch.bool)
        for seed in range(5):
            torch.manual_seed(seed)
            weights = torch.randn(y.shape[1], dtype=y.dtype)
            s = (weights * y[i]).sum() + 0 * leaf.sum()
            found |= torch.autograd.grad(s, leaf, retain_graph=True)[0].abs().amax(1) > 1e-9
        rows.append(found)
    return torch.stack(rows)
