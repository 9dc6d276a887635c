import torch


def _size(*modules):
    return sum(p.numel() for module in modules for p in module.parameters())


def attention_counts(L, d, d_k, d_v):
    layers = [torch.nn.Linear(d, n) for n in (d_k, d_k, d_v)]
    per_word = sum(layer.weight.numel() for layer in layers)
    return np.array([_size(*layers), L * per_word + L**2 * (d_k + d_v)])


def convolution_counts(L, d, d_v, k):
    layer = torch.nn.Conv1d(d, d_v, k)
    return np.array([_size(layer), L * layer.weight.numel()])


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    inputs, states = torch.nn.Linear(d, h), torch.nn.Linear(h, h, bias=False)
    return np.array([2 * _size(inputs, states), 2 * L * (inputs.weight.numel() + states.weight.numel())])
