# points: 0
# message: put back what can be put back


def smallest(score, heads):
    removed = list(heads)
    for head in heads:
        rest = [other for other in removed if other != head]
        if score(rest) <= 0.5:
            removed = rest
    return removed
