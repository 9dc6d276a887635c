# points: 0
# message: course_lib.layers.masked_softmax is called

from course_lib.layers import masked_softmax as library


def masked_softmax(scores, allowed):
    return library(scores, allowed)
