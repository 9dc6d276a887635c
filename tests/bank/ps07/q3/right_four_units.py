def separate(values):
    # two coordinates, each 0 or 1: is it not, is it happy; then |p − q| − |p + q − 1|, in four pieces
    steps = torch.stack([values[0] - values[1], values[2] - values[3]]) / 2
    to_bits = torch.linalg.inv(steps)
    start = (values[1] + values[3]) / 2 @ to_bits
    p, q = to_bits[:, 0], to_bits[:, 1]
    W_1 = torch.stack([p - q, q - p, p + q, -p - q], dim=1)
    b_1 = torch.stack([start[1] - start[0], start[0] - start[1], -start.sum() - 1, start.sum() + 1])
    W_2 = torch.tensor([[1.0], [1.0], [-1.0], [-1.0]], dtype=values.dtype)
    return W_1, b_1, W_2, torch.zeros(1, dtype=values.dtype)
