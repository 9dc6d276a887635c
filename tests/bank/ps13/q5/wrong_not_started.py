# points: 0
# message: NotImplementedError


def seconds(model, machine, texts, length, new):
    raise NotImplementedError


def tokens_a_second(times, texts, tokens):
    raise NotImplementedError
