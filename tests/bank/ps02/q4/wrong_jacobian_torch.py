# points: 3
# message: as much as an array of n × n numbers


import torch


def softmax_gradient(weights, gradient):
    w, g = torch.tensor(weights), torch.tensor(gradient)
    J = torch.diag_embed(w) - w[..., :, None] * w[..., None, :]
    return (J @ g[..., None])[..., 0].numpy()
