def smallest(score, heads):
    closing = []
    for bits in range(1, 2 ** len(heads)):
        some = {head for k, head in enumerate(heads) if bits >> k & 1}
        if score(some) <= 0.5:
            closing.append(some)
    return sorted(min(closing, key=len))
