# points: 0
# message: Expected are four tensors


def separate(values):
    W_1, b_1 = torch.ones(2, 2), torch.tensor([0.0, -1.0])
    W_2, b_2 = torch.tensor([[2.0], [-4.0]]), torch.tensor([-1.0])
    print(W_1, b_1, W_2, b_2)
