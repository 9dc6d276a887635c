# points: 2
# message: You look at how large an output is as a whole


def influence(f, x):
    rows = []
    for i in range(len(x)):
        z = x.clone().requires_grad_()
        f(z)[i].abs().sum().backward()
        rows.append((z.grad.abs() > 1e-9).any(dim=1))
    return torch.stack(rows)
