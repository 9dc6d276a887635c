# points: 0
# message: jvp is called


import torch


def softmax_gradient(weights, gradient):
    scores, g = torch.log(torch.tensor(weights) + 1e-300), torch.tensor(gradient)
    return torch.func.jvp(lambda s: torch.softmax(s, -1), (scores,), (g,))[1]
