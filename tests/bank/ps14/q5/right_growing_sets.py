def smallest(score, heads):
    sets = [frozenset()]
    while True:
        sets = {some | {head} for some in sets for head in heads if head not in some}
        for some in sets:
            if score(some) <= 0.5:
                return tuple(some)
