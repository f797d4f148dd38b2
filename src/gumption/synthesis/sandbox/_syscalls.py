"""The system calls that sandboxed code may make: what Python and numpy need, and nothing with a reach.

A list of what is allowed, so that a call the kernel learns tomorrow is refused. There are no sockets, no
other process's memory, no namespaces, no keyrings, no change of a file's mode, owner or times (Landlock lets
those pass). What is refused fails with EPERM, `clone3` with ENOSYS, so that the C library takes `clone`.
"""

from __future__ import annotations

import errno
import tempfile

from gumption.records import GumptionError

__all__ = ["filter_program"]

_ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range
open openat openat2 creat stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat
getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
link linkat symlink symlinkat truncate ftruncate fallocate fsync fdatasync sync_file_range fadvise64
statfs fstatfs umask flock copy_file_range sendfile splice
dup dup2 dup3 fcntl pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait
epoll_pwait eventfd eventfd2 memfd_create
mmap munmap mprotect mremap madvise brk msync mincore membarrier mlock munlock
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_sigpending sigaltstack
restart_syscall
kill tkill tgkill alarm pause nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times
getitimer setitimer timer_create timer_settime timer_gettime timer_delete
fork vfork execve exit exit_group wait4 waitid
getpid getppid gettid getpgrp getpgid getsid setsid setpgid getuid geteuid getgid getegid getresuid getresgid
getgroups setuid setgid setreuid setregid setresuid setresgid setgroups capget capset prctl arch_prctl
getrlimit setrlimit getrusage getpriority sysinfo uname getrandom getcpu
futex set_robust_list get_robust_list set_tid_address rseq sched_yield sched_getaffinity sched_getparam
sched_getscheduler sched_get_priority_max sched_get_priority_min
""".split()  # noqa: SIM905 -- a list literal of as many lines as names
_NEW_NAMESPACES = 0x7E020080
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME."""
_TIOC_WINDOW = (0x5413, 0x5401)
"""The size of a terminal and whether it is one: all that Python asks of ioctl."""


def filter_program() -> bytes:
    """The filter as the kernel takes it. Raises GumptionError where libseccomp is not installed."""
    try:
        import pyseccomp as seccomp
    except (ImportError, OSError, RuntimeError) as error:
        raise GumptionError(
            f"no seccomp filter can be made: {error}",
            where="sandbox",
            remedy="pip install 'gumption[sandbox]', and Debian's libseccomp2",
        ) from error
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    for name in _ALLOWED:
        if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) >= 0:
            rules.add_rule(seccomp.ALLOW, name)
    rules.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _NEW_NAMESPACES, 0))
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    # Of another process even the limits are off bounds.
    rules.add_rule(seccomp.ALLOW, "prlimit64", seccomp.Arg(0, seccomp.EQ, 0))
    for request in _TIOC_WINDOW:
        rules.add_rule(seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.EQ, request))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
