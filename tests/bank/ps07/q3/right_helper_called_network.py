def network(direction, start):
    """The two units: t and t - 1."""
    return torch.stack([direction, direction]).T, torch.stack([start, start - 1])


def told(values):
    return values.double()


def row(a, b):
    return (a - b) / 2


def separate(values):
    n, v, h, s = told(values)
    A = torch.vstack((row(n, v), row(h, s)))
    u = torch.linalg.inv(A) @ torch.ones(2).double()
    W_1, b_1 = network(u, -torch.dot(v + s, u) / 2)
    return [W_1, b_1, torch.tensor([[20.0], [-40.0]]).double(), torch.tensor([-10.0]).double()]
