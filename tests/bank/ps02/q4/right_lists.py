def softmax_gradient(weights, gradient):
    if weights.ndim > 1:
        return [softmax_gradient(w, g) for w, g in zip(weights, gradient, strict=True)]
    average = sum(float(w) * float(g) for w, g in zip(weights, gradient, strict=True))
    return [w * (g - average) for w, g in zip(weights.tolist(), gradient.tolist(), strict=True)]
