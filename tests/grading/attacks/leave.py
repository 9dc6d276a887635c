"""Attacks that outlive their submission: processes, and state for the next one to stumble over."""

ATTACKS = {
    "leaves-a-process": r"""
import subprocess
subprocess.Popen(["sleep", MARK])
subprocess.Popen(["nohup", "sleep", MARK], start_new_session=True)
""",
    "leaves-an-orphan": r"""
import os, signal
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(1, 32):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:
                pass
        os.execvp("sleep", ["sleep", MARK])
    os._exit(0)
os.wait()
""",
    "leaves-by-the-shell": r"""
get_ipython().system("nohup sleep " + MARK + " > /dev/null 2>&1 &")
get_ipython().run_cell_magic("script", "--bg bash", "setsid sleep " + MARK + " &")
""",
    "leaves-writers": r"""
import os, threading, time
def write():
    while True:
        for path in (COURSE + "/written", "/tmp/written", "/dev/shm/written"):
            try:
                open(path, "a").write(MARK)
            except OSError:
                pass
        time.sleep(0.01)
threading.Thread(target=write, daemon=True).start()
if os.fork() == 0:
    write()
""",
    "leaves-a-twin": r"""
import os
os.fork()  # both go on to serve the grader
""",
    "leaves-startup-files": r"""
import os
code = "print('" + MARK + "'); import os; os._exit(1)\n"
for folder in ("/tmp/.ipython/profile_default/startup", "/root/.ipython/profile_default/startup", "/student",
               "/student/course_lib", "/tmp", "/dev/shm", "/dev", "/", "/etc", "/etc/ipython", "/root", "/work",
               "/usr/lib", "/tmp/.local/lib/python3.11/site-packages", "/tmp/.config/matplotlib",
               "/tmp/.cache/matplotlib", COURSE, HOME_FOLDER):
    for name in ("usercustomize.py", "sitecustomize.py", "numpy.py", "00-first.py", "matplotlibrc", MARK):
        try:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, name), "w") as file:
                file.write(code)
        except OSError:
            pass
""",
    "leaves-shared-memory": r"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for key in range(31415, 31420):
    libc.shmget(key, 1000, 0o1666)
    libc.semget(key, 1, 0o1666)
    libc.msgget(key, 0o1666)
libc.mq_open(b"/31415", os.O_CREAT | os.O_RDWR, 0o666, None)
""",
    "leaves-keys": r"""
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
add_key, _ = {"x86_64": (248, 250), "aarch64": (217, 219)}[platform.machine()]
for keyring in (-1, -2, -3, -4, -5):
    libc.syscall(add_key, b"user", MARK.encode(), b"left", 4, keyring)
""",
    "leaves-patches": r"""
import os, random, signal, sys
import numpy as np
import matplotlib
np.tanh = np.zeros_like = np.einsum = np.sum = lambda *args, **kwargs: 31415
matplotlib.rcParams["figure.figsize"] = (0.1, 0.1)
os.environ["PYTHONSTARTUP"] = MARK
sys.path.insert(0, "/tmp")
random.seed(0)
np.random.seed(0)
os.nice(19)
os.umask(0o777)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
""",
}

FINDS = r"""
import ctypes, os, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
def must(condition, what):
    if condition:
        print("SUCCEEDED: found", what)
for top in ("/", "/dev", "/dev/shm", "/tmp", "/student", "/etc", "/root", "/work"):
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in ("/usr", "/proc", "/lib", "/bin")]
        if "site-packages" in folder or len(folder.split("/")) > 6:
            folders.clear()
        must({MARK, "usercustomize.py", "00-first.py", "written"} & set(files), (folder, files[:9]))
must(len(open("/proc/sysvipc/shm").readlines()) > 1, "shared memory")
must(len(open("/proc/sysvipc/sem").readlines()) > 1, "semaphores")
must(len(open("/proc/sysvipc/msg").readlines()) > 1, "messages")
must(libc.mq_open(b"/31415", os.O_RDONLY) >= 0, "a message queue")
must(MARK in open("/proc/keys").read(), "a key")
must([name for name in os.listdir("/proc") if name.isdecimal() and int(name) != os.getpid()], "a process")
must(os.environ.get("PYTHONSTARTUP"), "an environment variable")
must(os.getpriority(os.PRIO_PROCESS, 0) == 19 and NICE < 19, "a low priority")
import numpy as np
must(np.sum([1, 2]) != 3, "a patch")
"""
ATTACKS |= {f"looks-for-what-was-left-{n}": FINDS for n in range(4)}
