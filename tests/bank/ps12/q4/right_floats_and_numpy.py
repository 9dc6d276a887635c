def parameters(card):
    d, d_k, n = (np.float64(card[key]) for key in ("hidden_size", "head_dim", "num_hidden_layers"))
    heads = card["num_attention_heads"] + card["num_key_value_heads"]
    return {
        "attention": n * 2.0 * d * d_k * heads,
        "feed-forward": n * 3.0 * d * card["intermediate_size"],
        "norms": n * 2.0 * (d + (d_k if card["qk_norm"] else 0.0)) + d,
        "embeddings": np.where(card["tie_word_embeddings"], 1.0, 2.0) * card["vocab_size"] * d,
        "all": 0,
    }


def cache_bytes(card, n_tokens, bytes_each):
    a_token = 2 * card["num_hidden_layers"] * card["num_key_value_heads"] * card["head_dim"] * bytes_each
    return float(a_token) * n_tokens
