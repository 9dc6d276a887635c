# points: 0
# message: NotImplementedError
def conv1d(x, W, b):
    raise NotImplementedError
