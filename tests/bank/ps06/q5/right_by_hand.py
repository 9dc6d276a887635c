def step(x, keys, values, phi, W_Q, W_K, W_V):
    t = keys.size(1)
    word = x + phi[t]
    new_keys = torch.cat((keys, (word @ W_K).unsqueeze(1)), 1)
    new_values = torch.cat((values, (word @ W_V).unsqueeze(1)), 1)
    scores = new_keys @ (word @ W_Q).unsqueeze(2) / W_K.shape[1] ** 0.5  # (B, t + 1, 1)
    return (torch.softmax(scores, dim=1) * new_values).sum(dim=1), new_keys, new_values
