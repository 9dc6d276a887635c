# points: 0
# message: course_lib.model.EncoderBlock is called


class Block(layers.EncoderBlock):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__(d, n_heads, d_ff, norm=place)

    def forward(self, x, mask=None):
        return super().forward(x, mask)[0]
