def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    query = torch.arange(L - n_queries, L).view(1, 1, -1, 1)
    key = torch.arange(L).view(1, 1, 1, -1)
    return (key <= query) & ids.ne(PAD_ID).unsqueeze(1).unsqueeze(1)
