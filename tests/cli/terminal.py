#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What depends on a terminal: the progress of a watched program, on a terminal's standard error only, and how wide reports are.
usage: terminal.py BUILD SOURCE-TREE"""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

build, source = (os.path.abspath(a) for a in sys.argv[1:3])
softwarp = os.path.join(build, "bin", "softwarp")
SECONDS = 120  # to wait for what must come
bad = 0


def fail(text, output=""):
    global bad
    bad = 1
    print("FAILED: " + text)
    for line in output.splitlines()[-20:]:
        print("  " + repr(line))


def environment(columns=None):
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "SOFTWARP_DEVICE")}
    env.update(NO_COLOR="1", TERM="xterm", LC_ALL="C.UTF-8", LANGUAGE="en", CUDA_CACHE_PATH=os.path.join(work, "cache"))
    if columns is not None:
        env["COLUMNS"] = columns
    return env


def terminal(columns):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return master, slave


def read_until(master, done, seconds):
    """What comes until done(text) or, after seconds, at all."""
    text, end = "", time.monotonic() + seconds
    while not done(text) and time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                data = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not data:
                break
            text += data.decode(errors="replace")
    return text


def run(words, columns=None):
    return subprocess.run([softwarp, *words], env=environment(columns), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True).stdout


def run_on_terminal(words, size, columns=None):
    master, slave = terminal(size)
    process = subprocess.Popen([softwarp, *words], env=environment(columns), stdin=slave, stdout=slave, stderr=subprocess.DEVNULL)
    os.close(slave)
    text = read_until(master, lambda t: False, SECONDS)
    os.close(master)
    if process.wait() != 0:
        fail("%s: exit status %d" % (words, process.returncode), text)
    return text.replace("\r\n", "\n")


def longest(text):
    """Of the sentences: the line that names the launch is as long as it is."""
    return max(len(line) for line in text.splitlines() if "Context" not in line)


def check_progress():
    words = [softwarp, "profile", "--metrics", "gpu__time_duration.sum", "-o", "report", "./slow"]
    shown = re.compile(r"\r\x1b\[K==SOFTWARP== kernel (\d+), simulate_step: \d+ s; (\d+) s in all")
    columns = 76
    master, slave = terminal(columns)
    process = subprocess.Popen(words, env=environment(), stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    text = read_until(master, lambda t: len({number for number, seconds in shown.findall(t)}) >= 2, SECONDS)
    open("stop", "w").close()
    text += read_until(master, lambda t: False, SECONDS)
    os.close(master)
    os.unlink("stop")
    if process.wait() != 0:
        fail("profile on a terminal: exit status %d" % process.returncode, text)
    found = shown.findall(text)
    numbers = [int(number) for number, seconds in found]
    if len(numbers) < 2 or numbers != sorted(numbers) or numbers[0] == numbers[-1]:
        fail("no progress on a terminal: %s" % found, text)
    if found and int(found[0][1]) < 2:
        fail("progress of a program that has just begun: %s" % found[0][1], text)
    if any(len(line) >= columns for line in re.findall(r"==SOFTWARP== kernel[^\r\n\x1b]*", text)):
        fail("a line of progress wraps", text)
    if "stopped\r\n" not in text:
        fail("the program's own line is not whole", text)
    last = text.rsplit("==SOFTWARP== kernel", 1)[-1]
    if "\r\x1b[K" not in last:
        fail("the last line of progress stays", text)


def check_silence():
    """Standard error is no terminal, standard output and input are: nothing is said, however long it takes."""
    master, slave = terminal(80)
    process = subprocess.Popen([softwarp, "profile", "-o", "report", "./slow"], env=environment(), stdin=slave, stdout=slave, stderr=subprocess.PIPE, text=True)
    os.close(slave)
    read_until(master, lambda t: False, 3.5)  # longer than a terminal would wait
    if process.poll() is not None:
        fail("the program ended by itself")
    open("stop", "w").close()
    errors = process.communicate()[1]
    os.close(master)
    os.unlink("stop")
    if errors:
        fail("progress where there is no terminal", errors)


def check_widths():
    words = ["profile", "--page", "advice", "./transpose", "-kernel", "naive_row"]
    plain = run(words)
    if longest(plain) > 100 or longest(plain) <= 80:
        fail("in a pipe: %d columns" % longest(plain), plain)
    for columns in ("100", "", "wide", "-80", "0", "80x"):
        if run(words, columns) != plain:
            fail("COLUMNS=%s is not as without" % columns)
    for columns, least in (("70", 61), ("140", 101)):
        wide = run(words, columns)
        if not least <= longest(wide) <= int(columns):
            fail("COLUMNS=%s: %d columns" % (columns, longest(wide)), wide)
        if run_on_terminal(words, 90, columns) != wide:
            fail("COLUMNS=%s on a terminal of 90 columns" % columns)
    if run(words, "5") != run(words, "60"):
        fail("COLUMNS=5 is not the least width")
    for size, least in ((72, 61), (130, 101)):
        text = run_on_terminal(words, size)
        if not least <= longest(text) <= size:
            fail("a terminal of %d columns: %d" % (size, longest(text)), text)
    run_on_terminal(words[:1] + ["-o", "page"] + words[1:], 72)
    if open("page").read() != plain.replace("naive_row: PASSED\n", ""):
        fail("a file is as wide as a terminal that it is not written to")


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    for program in (source + "/tests/cli/slow.cu", source + "/examples/transpose.cu"):
        subprocess.run([softwarp, "cc", "-o", os.path.basename(program)[:-3], program], env=environment(), check=True)
    check_progress()
    check_silence()
    check_widths()
sys.exit(bad)
