# points: 0
# message: torch.nn.functional.scaled_dot_product_attention is called

import torch


def attention(Q, K, V):
    Q, K, V = map(torch.from_numpy, (Q, K, V))
    output = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    return output, torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1)
