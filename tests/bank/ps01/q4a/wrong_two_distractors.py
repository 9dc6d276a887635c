# points: 0
# message: Line H takes another norm, of all entries squared and added. np.linalg.norm(J, 2) is the spectral norm. Line B takes 1 − h.


def first_step():
    return "H B C F"
