def make_batch(pairs):
    n_source = 1 + max(len(s) for s, _ in pairs)
    n_target = 1 + max(len(t) for _, t in pairs)
    batch = {"source": [], "source_mask": [], "target_in": [], "target_out": []}
    for source, target in pairs:
        gap = n_source - len(source) - 1
        batch["source"].append(source + [2] + gap * [0])
        batch["source_mask"].append([(len(source) + 1) * [True] + gap * [False]])
        gap = n_target - len(target) - 1
        batch["target_in"].append([1] + target + gap * [0])
        batch["target_out"].append(target + [2] + gap * [0])
    return {name: torch.tensor(rows) for name, rows in batch.items()}
