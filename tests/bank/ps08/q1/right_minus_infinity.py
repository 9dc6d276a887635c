def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    later = torch.nn.Transformer.generate_square_subsequent_mask(L)  # 0 and -inf
    padding = torch.zeros(ids.shape).masked_fill(ids == PAD_ID, float("-inf"))
    total = later[None, None, L - n_queries :, :] + padding[:, None, None, :]
    return total == 0
