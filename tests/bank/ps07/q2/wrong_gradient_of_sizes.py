# points: 2
# message: how large an output is as a whole


def influence(f, x):
    rows = []
    for i in range(len(x)):
        leaf = x.clone().requires_grad_()
        f(leaf)[i].abs().sum().backward()
        rows.append(leaf.grad.abs().amax(1) > 1e-9)
    return torch.stack(rows)
