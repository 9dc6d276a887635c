def original_weights(weights, order):
    w, o = torch.from_numpy(weights), torch.from_numpy(order)
    inverse = torch.argsort(o, dim=-1).unsqueeze(-2).expand(w.shape)
    return torch.gather(w, -1, inverse)


def total_order(first, second):
    return torch.as_tensor(first)[torch.as_tensor(second)].numpy().astype(np.uint16)
