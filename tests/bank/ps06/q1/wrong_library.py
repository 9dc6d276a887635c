# points: 0
# message: course_lib.functional.positions.sinusoidal_encoding is called

from course_lib import functional


def encode(positions, d, base=10000.0):
    return np.concatenate([functional.sinusoidal_encoding(1, d, base, int(i)) for i in positions])
