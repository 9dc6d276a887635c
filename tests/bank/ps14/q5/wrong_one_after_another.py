# points: 1
# message: one at a time: try sets


def smallest(score, heads):
    removed = []
    while score(removed) > 0.5:
        rest = [head for head in heads if head not in removed]
        removed.append(min(rest, key=lambda head: score([*removed, head])))
    return removed
