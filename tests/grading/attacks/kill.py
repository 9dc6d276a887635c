"""Attacks that kill or stop: the grader, the server, themselves."""

EVERYBODY = r"""
import os, signal
for pid in [0, -1, os.getppid(), -os.getpgid(0), *range(2, 3000)]:
    for number in (signal.SIGKILL, signal.SIGSTOP):
        try:
            if pid:  # nobody there is 0, which would be this group
                os.kill(pid, number)
        except OSError:
            pass
"""

ATTACKS = {
    "kills-its-group": "import os, signal\nos.kill(0, signal.SIGKILL)\n",
    "kills-all": "import os, signal\nos.kill(-1, signal.SIGKILL)\n",
    "kills-its-parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
    "kills-every-process": EVERYBODY,
    "kills-by-sessions": "import os, signal\nfor n in range(1, 500):\n    try:\n        os.killpg(n, signal.SIGKILL)\n"
    "    except OSError:\n        pass\n",
    "kills-itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "stops-itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n",
    "stops-everybody": "import os, signal\nos.kill(-1, signal.SIGSTOP)\nos.kill(0, signal.SIGSTOP)\n",
    "aborts": "import os\nos.abort()\n",
    "exits-hard": "import os\nos._exit(0)\n",
    "exits": "exit()\n",
    "quits": "quit()\n",
    "sys-exits": "import sys\nsys.exit(3)\n",
    "raises-interrupt": "raise KeyboardInterrupt\n",
    "raises-its-own": "class Mine(BaseException):\n    pass\nraise Mine('not an Exception')\n",
    "raises-in-str": "class Mine(Exception):\n    def __str__(self):\n        os.abort()\nraise Mine\n",
    "segfaults": "import ctypes\nctypes.string_at(0)\n",
    "overflows-the-stack": "import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return f(n + 1) + 1\nf(0)\n",
    "ends-its-threads": "import ctypes\nctypes.CDLL(None).pthread_exit(None)\n",
    "replaces-itself": "import os\nos.execvp('sleep', ['sleep', MARK])\n",
    "reads-the-keyboard": "input('the password, please: ')\n",
    "sets-an-alarm": "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)\n",
}
