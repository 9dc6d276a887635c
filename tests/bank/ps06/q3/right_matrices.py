class Turn:
    def __init__(self, d, base):
        self.d, self.w = d, torch.tensor([base ** (-2 * c / d) for c in range(d // 2)])

    def matrix(self, position):
        C, S = (torch.diag(f(position * self.w)) for f in (torch.cos, torch.sin))
        return torch.cat([torch.cat([C, S], 1), torch.cat([-S, C], 1)], 0)

    def rotate(self, x, positions):
        out = torch.empty(x.shape)
        for n in range(len(positions)):
            out[..., n, :] = x[..., n, :] @ self.matrix(positions[n])
        return out


def rotary_scores(queries, keys, query_positions, key_positions, base):
    turn = Turn(queries.shape[-1], base)
    Q, K = turn.rotate(queries, query_positions), turn.rotate(keys, key_positions)
    return torch.matmul(Q, K.swapaxes(-1, -2)) * queries.shape[-1] ** -0.5
