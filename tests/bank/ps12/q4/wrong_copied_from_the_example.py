# points: 0
# message: which is not right


def parameters(card):
    return {"attention": 176160768, "feed-forward": 264241152, "norms": 65536, "embeddings": 155582464}


def cache_bytes(card, n_tokens, bytes_each):
    return 114688
