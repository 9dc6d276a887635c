# points: 0
# message: at most four are allowed


def separate(values):
    # random features and a least-squares fit
    o = averages(values)
    noise = torch.Generator().manual_seed(0)
    W_1 = torch.randn(2, 50, generator=noise, dtype=torch.float64)
    b_1 = torch.randn(50, generator=noise, dtype=torch.float64)
    signs = 2 * torch.tensor([[-1.0], [1.0], [1.0], [-1.0]], dtype=torch.float64)
    W_2 = torch.linalg.pinv(torch.relu(o @ W_1 + b_1)) @ signs
    return W_1, b_1, W_2, torch.zeros(1, dtype=torch.float64)
