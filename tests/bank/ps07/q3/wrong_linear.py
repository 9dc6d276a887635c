# points: 0
# message: your network is a linear map


def separate(values):
    # both units are on for all phrases
    W_1 = torch.eye(2, dtype=torch.float64)
    b_1 = 100 * torch.ones(2, dtype=torch.float64)
    W_2 = torch.tensor([[1.0], [-1.0]], dtype=torch.float64)
    return W_1, b_1, W_2, torch.zeros(1, dtype=torch.float64)
