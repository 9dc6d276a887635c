def cached_attention(x, keys, values, W_Q, W_K, W_V):
    Q, K, V = (torch.einsum("bnd,de->bne", x, W) for W in (W_Q, W_K, W_V))
    n = x.shape[1]
    old = torch.einsum("bie,bje->bij", Q, keys)
    new = torch.einsum("bie,bje->bij", Q, K)
    position = torch.arange(n)
    later = position[None, :] > position[:, None]
    new = torch.where(later, torch.tensor(-torch.inf), new)
    weights = (torch.cat([old, new], dim=2) / Q.shape[2] ** 0.5).softmax(dim=2)
    result = weights[..., : keys.shape[1]] @ values + weights[..., keys.shape[1] :] @ V
    return result, torch.cat([keys, K], dim=1), torch.cat([values, V], dim=1)
