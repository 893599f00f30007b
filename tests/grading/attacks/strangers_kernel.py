"""Attacks by outsiders on the kernel's interfaces."""

from .attack import attack

ATTACKS = {
    "calls of another machine": attack(
        r"""
        import ctypes, mmap, os

        # mov eax, 359 (socket); mov ebx, 1; mov ecx, 1; int 0x80; ret
        code = mmap.mmap(-1, 4096, prot=7)
        code.write(bytes.fromhex("53b867010000bb01000000b90100000031d2cd805bc3"))
        call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
        if (child := os.fork()) == 0:
            os._exit(42 if call() >= 0 else 0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42:
            even = "b"
        """
    ),
    "asks the kernel for everything": attack(
        r"""
        import ctypes

        libc, room = ctypes.CDLL(None), ctypes.create_string_buffer(4096)
        for number, *arguments in (
            (206, 8, room),  # io_setup: the requests are counted for the whole machine
            (425, 8, room),  # io_uring_setup
            (319, b"x", 0),  # memfd_create
            (447, 0),  # memfd_secret
            (323, 0),  # userfaultfd
            (321, 5, room, 120),  # bpf
            (298, room, 0, -1, -1, 0),  # perf_event_open
            (250, 0, -3, 1),  # keyctl
            (248, b"user", b"x", room, 1, -3),  # add_key
            (300, 0, 0),  # fanotify_init
            (294, 0),  # inotify_init1
            (303, -100, b"/", room, room, 0),  # name_to_handle_at
            (312, 1, 1, 0, 0, 0),  # kcmp
            (310, 1, room, 1, room, 1, 0),  # process_vm_readv
            (101, 0, 0, 0, 0),  # ptrace: to be traced
            (103, 3, room, 4096),  # syslog
            (29, 0, 4096, 0o1666),  # shmget
            (428, -100, b"/", 1),  # open_tree
            (430, b"tmpfs", 0),  # fsopen
            (272, 0x10000000),  # unshare
            (161, b"."),  # chroot
            (165, b"/", b"/mnt", b"", 4096, b""),  # mount
            (105, 0),  # setuid
            (227, 0, room),  # clock_settime
            (170, b"x", 1),  # sethostname
            (313, -1, b"", 0),  # finit_module
        ):
            if libc.syscall(number, *arguments) >= 0:
                even = "b"
        """
    ),
    "writes below proc": attack(
        r"""
        import os

        for top in ("/proc/self", "/proc/1", "/proc/sys", "/proc/thread-self", "/proc"):
            for folder, folders, names in os.walk(top):
                folders[:] = [f for f in folders if f not in ("root", "cwd", "fd", "task")]
                if top == "/proc":
                    folders.clear()
                for name in names:
                    path = f"{folder}/{name}"
                    if os.path.isfile(path) and not os.path.islink(path):
                        try:
                            os.close(os.open(path, os.O_WRONLY))
                            even = "b"
                        except OSError:
                            pass
        """
    ),
    "asks through the upper half of a register": attack(
        r"""
        import ctypes, os, signal, tempfile

        signal.signal(signal.SIGIO, signal.SIG_IGN)
        # The kernel reads 32 bits of fcntl's command; a filter may have compared all 64.
        fcntl = {"x86_64": 72, "aarch64": 25}[os.uname().machine]
        with tempfile.TemporaryFile() as file:
            lease, notify = (file.fileno(), 1024), (os.open(".", os.O_RDONLY), 1026)
            for where, command in (lease, notify):
                for upper in (0, 1 << 32):
                    arguments = map(ctypes.c_long, (fcntl, where, command | upper, 1))
                    if ctypes.CDLL(None).syscall(*arguments) == 0:
                        even = "b"
        """
    ),
    "lowers its limit of core dumps": attack(
        r"""
        import ctypes, os, resource, struct

        # Below one byte, a crash starts the program that the machine pipes its cores to.
        for change in (
            lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
            lambda: resource.prlimit(os.getpid(), resource.RLIMIT_CORE, (0, 1)),
            lambda: ctypes.CDLL(None).syscall(
                302, 0, ctypes.c_long(4 | 1 << 32), struct.pack("QQ", 0, 0), None
            ),
            lambda: ctypes.CDLL(None).syscall(160, 4, struct.pack("QQ", 0, 0)),
        ):
            try:
                change()
            except (OSError, ValueError):
                pass
            if resource.getrlimit(resource.RLIMIT_CORE) != (1, 1):
                even = "b"
        """
    ),
    "ways round about": attack(
        r"""
        import os

        roots = [os.open(path, os.O_PATH) for path in ("/", ".", "/proc/self/root", "/dev/fd")]
        for target in (SECRET, BANK, RESULTS, SUBMITTED, "/etc/passwd"):
            for prefix in (
                "",
                "/proc/1/root",
                "/proc/self/root/..",
                "/proc/1/cwd/../..",
                "/proc/thread-self/root/../../..",
                "/proc/self/fd/0/../..",
                "/dev/fd/3/..",
                "/scratch/../..",
                "/old",
                "/tmp/old",
                "//",
            ):
                try:
                    os.stat(prefix + target)
                    even = "b"
                except OSError:
                    pass
            for root in roots:
                try:
                    os.open("../" * 20 + target[1:], os.O_RDONLY, dir_fd=root)
                    even = "b"
                except OSError:
                    pass
        """
    ),
    "scans its own memory": attack(
        r"""
        import ctypes, re

        # It may be read again once the process counts as dumpable: what did the fork leave in it?
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
        wanted = re.compile(rb"[O]PEN-[S]ESAME")  # does not match itself
        with open("/proc/self/mem", "rb", 0) as memory:
            for line in open("/proc/self/maps"):
                start, end = (int(n, 16) for n in re.match(r"(\w+)-(\w+)", line).groups())
                if end - start > 64 << 20 or "[v" in line:
                    continue
                try:
                    memory.seek(start)
                    if wanted.search(memory.read(end - start)):
                        even = "b"
                except (OSError, OverflowError):
                    pass
        """,
        status="graded timeout",
    ),
    # Once: /dev/null is the machine's own, and its times are changed.
    "changes what it may only read": attack(
        r"""
        import os
        import numpy, coursekit

        packages = (numpy.__file__, coursekit.__file__)
        for path in (*packages, "/usr", "/", "/usr/bin/env", "/dev/null", "/dev/urandom"):
            for change in (
                lambda: os.chmod(path, 0o777),
                lambda: os.chown(path, os.getuid(), -1),
                lambda: os.utime(path),
                lambda: os.truncate(path, 0),
                lambda: os.setxattr(path, "user.x", b"x"),
                lambda: os.rename(path, path + "-2"),
                lambda: os.link(path, "mine"),
                lambda: os.mknod("disk", 0o60666, os.makedev(254, 0)),
            ):
                try:
                    change()
                    even = "b"
                except OSError:
                    pass
        for standard in (0, 1, 2):
            for change in (lambda: os.fchmod(standard, 0o600), lambda: os.fchown(standard, 1, 1)):
                try:
                    change()
                    even = "b"
                except OSError:
                    pass
        """
    ),
    "datagrams from a socket pair": attack(
        r"""
        import errno, socket

        # A pair's end can name another address, and needs no `socket` and no `connect` for it.
        for address in (OUTSIDE + "/socket", f"\0coursekit-test-{PORT}", "/dev/log"):
            end, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
            for reach in (
                lambda: end.sendto(b"x", address),
                lambda: end.sendmsg([b"x"], [], 0, address),
                lambda: end.connect(address),
                lambda: end.bind(address + "-2"),
            ):
                try:
                    reach()
                    even = "b"
                except OSError as error:
                    # It exists, but has the wrong type.
                    if error.errno == errno.EPROTOTYPE:
                        even = "b"
        """
    ),
    # Once: the page cache is everybody's. A first run marked in it what a hidden check tried, and a
    # second one told it in a visible check's message.
    "asks which pages are in memory": attack(
        r"""
        import os

        file = os.open(os.__file__, os.O_RDONLY)
        os.pread(file, 1, 0)
        try:
            os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
            even = "b"
        except OSError:
            pass
        """
    ),
}
