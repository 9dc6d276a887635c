import math


def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    a, b = queries[..., : d // 2].double(), queries[..., d // 2 :].double()
    a2, b2 = keys[..., : d // 2].double(), keys[..., d // 2 :].double()
    distance = (query_positions[:, None] - key_positions).double()
    turn = distance[..., None] * torch.tensor([base ** (-2 * c / d) for c in range(d // 2)]).double()
    along = torch.einsum("...ic,...jc,ijc->...ij", a, a2, turn.cos()) + torch.einsum(
        "...ic,...jc,ijc->...ij", b, b2, turn.cos()
    )
    across = torch.einsum("...ic,...jc,ijc->...ij", a, b2, turn.sin()) - torch.einsum(
        "...ic,...jc,ijc->...ij", b, a2, turn.sin()
    )
    return (along + across) / math.sqrt(d)
