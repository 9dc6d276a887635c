import torch


def unit_divisor(std_q, std_k):
    return torch.linalg.vector_norm(torch.tensor(std_q) * torch.tensor(std_k))


def temperature(scores, ratio):
    best, second = torch.topk(torch.tensor(scores), 2).values
    return (best - second) / torch.log(torch.tensor(ratio, dtype=torch.float64))
