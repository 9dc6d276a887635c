# points: 0
# message: course_lib.model.attention.attention is called


import torch
from course_lib import model as layers


def attention(Q, K, V):
    K, V = (np.broadcast_to(part, Q.shape[:-2] + part.shape[-2:]).copy() for part in (K, V))
    return layers.attention(torch.tensor(Q), torch.tensor(K), torch.tensor(V))
