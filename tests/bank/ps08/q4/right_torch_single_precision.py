class Writer:
    def __init__(self, model, temperature):
        self.model, self.T = model, temperature

    def softmax(self, z):
        return torch.softmax(torch.as_tensor(z, dtype=torch.float64) / self.T, dim=1).float()

    def token(self, ids, u):
        z = self.model(ids.numpy())
        if self.T == 0:
            return torch.as_tensor(z).argmax(dim=1)
        ends = self.softmax(z).cumsum(dim=1)
        return (ends <= torch.as_tensor(u, dtype=torch.float32)[:, None]).sum(dim=1)


def write_on(next_logits, start, uniforms, temperature):
    writer, ids = Writer(next_logits, temperature), torch.as_tensor(start)
    alive = torch.ones(len(ids), dtype=torch.bool)
    for t in range(uniforms.shape[1]):
        new = writer.token(ids, uniforms[:, t]) * alive
        alive = alive & (new != EOS_ID)
        ids = torch.hstack([ids, new[:, None]])
    return ids
