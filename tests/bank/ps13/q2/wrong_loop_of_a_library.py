# points: 3
# message: There is a loop over the tokens
from itertools import accumulate


def chunk(Q, K, V, S, gamma):
    states = accumulate(zip(K, V), lambda S, kv: gamma * S + np.outer(*kv), initial=S)
    states = np.array(list(states))
    return np.einsum("td,tdv->tv", Q, states[1:]), states[-1]
