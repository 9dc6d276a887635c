# points: 0
# message: TODO


def examine(unknown, d):
    y = unknown(torch.ones(2, d).double())
    bits = int(abs(float(y[0, 0])) * 1e6)
    return ("pre", "post")[bits % 2], ("layer", "rms")[bits // 2 % 2], ("turned", "none")[bits // 4 % 2]
