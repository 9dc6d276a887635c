from collections import namedtuple

Span = namedtuple("Span", "left right")


def _widen(span, k):
    half = k // 2
    return Span(span.left - half, span.right + half)


def receptive_field(k, n_layers):
    span = Span(0, 0)
    for _ in range(n_layers):
        span = _widen(span, k)
    return len(range(span.left, span.right + 1))


def layers_needed(distance, k):
    span, n = Span(0, 0), 0
    while -distance not in range(span.left, span.right + 1):
        span = _widen(span, k)
        n += 1
    return n
