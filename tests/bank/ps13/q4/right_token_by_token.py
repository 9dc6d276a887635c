class Cache:
    def __init__(self, W_Q, W_C, U_K, U_V, window):
        self.weights, self.window, self.rows = (W_Q, W_C, U_K, U_V), window, []

    @property
    def kept(self):
        return self.rows

    def add(self, x):
        W_Q, W_C, U_K, U_V = self.weights
        outputs = []
        for token in x:
            self.rows.append(token @ W_C)
            seen = torch.stack(self.rows[-self.window :])
            weights = torch.softmax(seen @ U_K @ (token @ W_Q) / W_Q.shape[-1] ** 0.5, dim=0)
            outputs.append(weights @ seen @ U_V)
        return torch.stack(outputs)

    def take_back(self, n):
        for _ in range(n):
            self.rows.pop()


def diagnosis():
    return dict(zip([4, 6, 7, 10], "BDFA"))
