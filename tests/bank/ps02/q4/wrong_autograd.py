# points: 0
# message: torch.Tensor.backward is called

import torch


def softmax_gradient(weights, gradient):
    scores = torch.tensor(np.log(weights), requires_grad=True)
    torch.softmax(scores, -1).backward(torch.tensor(gradient))
    return scores.grad
