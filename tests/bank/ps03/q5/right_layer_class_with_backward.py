class Lookup:
    def forward(self, queries, keys, values, beta):
        self.q, self.k, self.v, self.beta = queries, keys, values, beta
        self.o, self.w = look_up(queries, keys, values, beta)
        return self.o

    def backward(self, grad):
        by_value = self.w.T @ grad
        by_weight = grad @ self.v.T
        by_score = self.beta * self.w * (by_weight - (self.w * by_weight).sum(axis=1, keepdims=True))
        by_key = (by_score[:, :, None] * 2 * (self.q[:, None] - self.k)).sum(axis=0)
        return by_value, by_key


def both(queries, keys, values, targets, beta):
    layer = Lookup()
    return layer.backward(layer.forward(queries, keys, values, beta) - targets)


def value_gradient(queries, keys, values, targets, beta):
    return both(queries, keys, values, targets, beta)[0]


def key_gradient(queries, keys, values, targets, beta):
    return both(queries, keys, values, targets, beta)[1]
