def parameters(card):
    d, d_k, n = card["hidden_size"], card["head_dim"], card["num_hidden_layers"]
    queries, keys = (d_k * card[f"num_{which}_heads"] for which in ("attention", "key_value"))
    shapes = {
        "attention": n * [(queries, d), (keys, d), (keys, d), (d, queries)],
        "feed-forward": n * (2 * [(card["intermediate_size"], d)] + [(d, card["intermediate_size"])]),
        "norms": n * (2 * [(d,)] + (2 * [(d_k,)] if card["qk_norm"] else [])) + [(d,)],
        "embeddings": [(card["vocab_size"], d) for _ in range(1 if card["tie_word_embeddings"] else 2)],
    }
    return {name: sum(np.prod(shape, dtype=np.int64) for shape in of) for name, of in shapes.items()}


def cache_bytes(card, n_tokens, bytes_each):
    shape = (
        2,
        card["num_hidden_layers"],
        card["num_key_value_heads"],
        card["head_dim"],
        n_tokens,
        bytes_each,
    )
    return int(np.prod(shape, dtype=np.int64))
