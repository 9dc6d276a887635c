"""Attacks on the socket between the kernel and the grader."""

SOCKET = r"""
import asyncio, json, os, socket, stat, struct
loops = [file.fileno() for file in (asyncio.get_event_loop()._ssock, asyncio.get_event_loop()._csock)]
numbers = [int(n) for n in os.listdir("/proc/self/fd") if int(n) not in loops]
def is_socket(number):
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False
[number] = [n for n in numbers if is_socket(n)]
talk = socket.socket(fileno=os.dup(number))
talk.settimeout(1)
def frame(data):
    return struct.pack("!Q", len(data)) + data
yes = json.dumps(json.dumps([{"value": 5, "changed": []}])).encode()
"""

ATTACKS = {
    "answers-in-advance": SOCKET + "for _ in range(30):\n    talk.sendall(frame(b'[]') + frame(yes))\n",
    "sends-garbage": SOCKET + "talk.sendall(os.urandom(10_000))\n",
    "sends-a-false-length": SOCKET + "talk.sendall(struct.pack('!Q', 2**63) + b'x' * 1000)\n",
    "sends-too-much": SOCKET + "talk.sendall(struct.pack('!Q', 10**9))\ntalk.sendall(bytes(10**8))\n",
    "sends-forty-megabytes": SOCKET
    + "talk.settimeout(None)\ntalk.sendall(frame(b'[' + b'{},' * 13_000_000 + b'{}]'))\n",
    "sends-nested-lists": SOCKET + "talk.settimeout(None)\ntalk.sendall(frame(b'[' * 1_000_000))\n",
    "sends-what-is-no-json": SOCKET
    + "talk.sendall(frame(b'\\xff\\xfe') + frame(b'') + frame(b'NaN') + frame(b'1' * 9999))\n",
    "sends-odd-outputs": SOCKET
    + r"""
talk.sendall(frame(json.dumps([
    {"output_type": "stream", "name": 7, "text": {"a": [1]}}, {"output_type": "error", "traceback": 5},
    {"output_type": "execute_result", "data": {"text/plain": 22, "image/png": [[]], "application/javascript": "x"}},
    {"output_type": "error", "ename": "\ud800", "evalue": None, "traceback": [None, [["\udfff"]]]}, None, 7, "x", [],
    {"output_type": "display_data", "data": 5, "metadata": 7}]).encode()))
""",
    "sends-many-outputs": SOCKET
    + r"""
talk.settimeout(None)
one = {"output_type": "stream", "name": "stdout", "text": "flood " * 10}
many = json.dumps([{**one, "name": ("stdout", "stderr")[n % 2]} for n in range(200_000)]).encode()
for _ in range(3):
    talk.sendall(frame(many))
""",
    "sends-many-outputs-in-one-message": SOCKET
    + r"""
talk.settimeout(None)
talk.sendall(frame(b"[" + b",".join([b'{"output_type":"error"}'] * 499_000) + b"]"))
""",
    "sends-half-a-message": SOCKET
    + "talk.sendall(struct.pack('!Q', 1000) + b'[')\nimport time\ntime.sleep(100)\n",
    "never-answers": SOCKET + "import time\ntime.sleep(100)\n",
    "closes-the-socket": SOCKET + "os.close(number)\ntalk.close()\n",
    "shuts-the-socket": SOCKET + "talk.shutdown(socket.SHUT_RDWR)\n",
    "closes-all-files": "import os\nos.closerange(0, 10_000)\n",
    "lets-a-child-hold-the-socket": SOCKET
    + r"""
import subprocess
subprocess.Popen(["sleep", MARK], pass_fds=[number])
if os.fork() == 0:
    import time
    time.sleep(1000)
os._exit(1)
""",
    "sends-files-along": SOCKET
    + "socket.send_fds(talk, [b'x'], [os.open('/tmp', os.O_RDONLY), os.open('/', os.O_RDONLY)])\n",
    "eats-the-requests": SOCKET
    + r"""
import threading
def eat():
    own = socket.socket(fileno=os.dup(number))
    own.setblocking(True)
    while True:
        print(own.recv(100_000)[:50])
threading.Thread(target=eat, daemon=True).start()
""",
}
