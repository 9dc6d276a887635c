from torch import nn


def parameters(card):
    d, d_k, n = card["hidden_size"], card["head_dim"], card["num_hidden_layers"]
    with torch.device("meta"):
        of = {
            "attention": [
                nn.Linear(d, card["num_attention_heads"] * d_k, bias=False),
                nn.Linear(d, card["num_key_value_heads"] * d_k, bias=False),
                nn.Linear(d, card["num_key_value_heads"] * d_k, bias=False),
                nn.Linear(card["num_attention_heads"] * d_k, d, bias=False),
            ],
            "feed-forward": [
                nn.Linear(d, card["intermediate_size"], bias=False),
                nn.Linear(d, card["intermediate_size"], bias=False),
                nn.Linear(card["intermediate_size"], d, bias=False),
            ],
            "norms": [nn.RMSNorm(d), nn.RMSNorm(d)] + [nn.RMSNorm(d_k) for _ in "QK" if card["qk_norm"]],
        }
        ends = [nn.Embedding(card["vocab_size"], d)]
        if not card["tie_word_embeddings"]:
            ends.append(nn.Linear(d, card["vocab_size"], bias=False))
    counts = {name: n * sum(p.numel() for m in parts for p in m.parameters()) for name, parts in of.items()}
    counts["norms"] += d
    counts["embeddings"] = sum(p.numel() for m in ends for p in m.parameters())
    return counts


def cache_bytes(card, n_tokens, bytes_each):
    shape = (2, card["num_hidden_layers"], card["num_key_value_heads"], card["head_dim"])
    return int(np.prod(shape, dtype=object)) * n_tokens * bytes_each
