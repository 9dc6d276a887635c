# points: 0
# message: _softmax_backward_data is called


import torch


def softmax_gradient(weights, gradient):
    w, g = torch.tensor(weights), torch.tensor(gradient)
    return torch.ops.aten._softmax_backward_data(g, w, -1, w.dtype)
