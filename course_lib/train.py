"""`course train` as a module of its own, which `torchrun` starts in many processes.

torchrun --standalone --nproc-per-node=2 -m course_lib.train RUN [the options of course train]
"""

import sys

from course_lib.cli import main

if __name__ == "__main__":
    sys.exit(main(["train", *sys.argv[1:]]))
