# points: 3
# message: There is a loop over the tokens


def chunk(Q, K, V, S, gamma):
    Q, K, V, S = (torch.from_numpy(x) for x in (Q, K, V, S))
    rows = []
    for t in range(len(Q)):
        rows.append(Q[t] @ (S := gamma * S + torch.outer(K[t], V[t])))
    return torch.stack(rows), S
