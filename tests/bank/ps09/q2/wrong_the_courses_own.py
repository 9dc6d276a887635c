# points: 0
# message: course_lib.model.DecoderBlock is called


class Block(layers.DecoderBlock):
    def __init__(self, d, n_heads, d_ff):
        super().__init__(d, n_heads, d_ff, norm="post")

    def forward(self, x, memory, real):
        return super().forward(x, memory, causal_mask(x.shape[1]), real.unsqueeze(1))[0]
