def write_on(next_logits, start, uniforms, temperature):
    ids = torch.from_numpy(start)
    u = torch.from_numpy(uniforms)
    for t in range(u.shape[1]):
        z = torch.from_numpy(next_logits(ids.numpy()))
        if temperature == 0:
            token = z.argmax(dim=1)
        else:
            ends = torch.softmax(z / temperature, dim=1).cumsum(dim=1)
            token = torch.searchsorted(ends, u[:, t : t + 1].contiguous(), right=True)[:, 0]
        token[(ids == EOS_ID).any(dim=1)] = PAD_ID
        ids = torch.cat([ids, token[:, None]], dim=1)
    return ids
