# points: 0
# message: torch.ops.aten.rnn_tanh_cell is called


import torch


def rnn_states(x, W_x, W_h, b, h0):
    h, states = torch.tensor(h0)[None], np.zeros((len(x), len(h0)))
    none = torch.zeros(len(h0), dtype=torch.float64)
    for i, word in enumerate(torch.tensor(x)):
        h = torch.ops.aten.rnn_tanh_cell(
            word[None], h, torch.tensor(W_x).T, torch.tensor(W_h).T, torch.tensor(b), none
        )
        states[i] = h[0]
    return states
