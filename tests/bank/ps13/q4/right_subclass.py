class Cache(Broken):
    def add(self, x):
        before = self.kept.shape[0]
        self.kept = torch.cat((self.kept, x @ self.W_C), dim=0)
        Q, K, V = x @ self.W_Q, self.kept @ self.U_K, self.kept @ self.U_V
        i = before + torch.arange(x.shape[0]).unsqueeze(1)
        j = torch.arange(K.shape[0]).unsqueeze(0)
        far = (j > i) | (j < i - self.window + 1)
        return torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=~far)

    def take_back(self, n):
        if n:
            self.kept = self.kept[:-n]


def diagnosis():
    return {"10": "a", "7": "f", "6": "d", "4": "b"}
