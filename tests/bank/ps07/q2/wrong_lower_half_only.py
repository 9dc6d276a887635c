# points: 0
# message: outputs before them


def influence(f, x):
    result = torch.zeros(len(x), len(x), dtype=torch.bool)
    jacobian = torch.autograd.functional.jacobian(f, x)
    for i in range(len(x)):
        for j in range(i + 1):
            result[i, j] = bool((jacobian[i, :, j] != 0).any()) and jacobian[i, :, j].abs().max() > 1e-9
    return result
