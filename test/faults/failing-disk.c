/*
 * A disk that fails when it is told to: preloaded (LD_PRELOAD) into a process, it counts what that process writes below one folder, and at a
 * chosen write fails, writes half, or kills. What is to happen stands in a control file that is mapped into memory: whoever has the file
 * open, the process itself too, changes it at any time. The layout is that of test/fixtures/failing-disk.ts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* glibc declares the 64-bit twins as aliases; here each is a function of its own. */
#undef open
#undef openat
#undef pwrite
#undef ftruncate

/*
 * ONCE: that one fails. FROM: it and all after it. FULL: it and all after it that need room; what is there may be written over. SHORT: that one
 * writes half, and says so. KILL: the process dies before it; KILL_HALF: in the middle of it. FREEZE: nothing reaches the disk from it on, which
 * is what a crash leaves.
 */
enum mode { NONE, ONCE, FROM, FULL, SHORT, KILL, KILL_HALF, FREEZE };
enum kind { WRITE = 1, TRUNCATE = 2, SYNC = 4, CREATE = 8, UNLINK = 16, RENAME = 32 };
enum file { OTHER, MAIN, WAL, SHM, ROLLBACK };

#define LOGGED 65536
struct control {
  uint64_t mode;      /* what happens */
  uint64_t at;        /* at which counted operation; 1 is the next */
  uint64_t error;     /* errno of a failure */
  uint64_t kinds;     /* which operations count: a set of enum kind */
  uint64_t count;     /* how many were counted since it was set to 0 */
  uint64_t failed;    /* how many failed */
  char folder[488];   /* below which path */
  uint64_t unused;
  uint8_t log[LOGGED][2]; /* kind and file of each counted operation */
};

static struct control *control;

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}
#define REAL(name) ({ static __typeof__(&name) found; if (found == NULL) found = (__typeof__(&name))real(#name); found; })

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("LOCKKEEPER_FAILING_DISK");
  if (path == NULL) return;
  int file = (int)REAL(open)(path, O_RDWR | O_CLOEXEC);
  if (file < 0) { fprintf(stderr, "failing disk: no control file %s\n", path); _exit(97); }
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) { fprintf(stderr, "failing disk: %s cannot be mapped\n", path); _exit(97); }
  control = mapped;
}

static int below(const char *path) {
  size_t length = strnlen(control->folder, sizeof control->folder);
  return length > 0 && strncmp(path, control->folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int ends(const char *path, const char *end) {
  size_t all = strlen(path), part = strlen(end);
  return all >= part && strcmp(path + all - part, end) == 0;
}

static uint8_t file_of(const char *path) {
  if (ends(path, "-wal")) return WAL;
  if (ends(path, "-shm")) return SHM;
  if (ends(path, "-journal")) return ROLLBACK;
  return ends(path, "journal.db") ? MAIN : OTHER;
}

enum verdict { GO, FAIL, HALF, HALF_THEN_DIE };

/* Counts one operation and says what is to become of it. `grows`: it takes room that the file does not have yet. */
static enum verdict judge(const char *path, enum kind kind, int grows) {
  uint64_t mode = __atomic_load_n(&control->mode, __ATOMIC_SEQ_CST);
  if ((control->kinds & kind) == 0) return GO;
  uint64_t number = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
  if (number <= LOGGED) {
    control->log[number - 1][0] = (uint8_t)kind;
    control->log[number - 1][1] = file_of(path);
  }
  int goes_on = mode == FROM || mode == FULL || mode == FREEZE;
  if (mode == NONE || number < control->at || (number > control->at && !goes_on)) return GO;
  if (mode == FULL && !grows) return GO;
  if (mode == KILL || (mode == KILL_HALF && kind != WRITE)) kill(getpid(), SIGKILL);
  if (mode == KILL_HALF) return HALF_THEN_DIE;
  if (mode == SHORT && kind != WRITE) return GO;
  __atomic_add_fetch(&control->failed, 1, __ATOMIC_SEQ_CST);
  if (mode == SHORT) return HALF;
  errno = mode == FREEZE ? EIO : (int)control->error;
  return FAIL;
}

static int path_of(int fd, char *path) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return 1;
}

static enum verdict judge_file(int fd, enum kind kind, off_t end) {
  if (control == NULL) return GO;
  int before = errno;
  char path[PATH_MAX];
  struct stat now;
  if (!path_of(fd, path) || !below(path)) { errno = before; return GO; }
  int grows = end >= 0 && fstat(fd, &now) == 0 && end > now.st_size;
  errno = before;
  return judge(path, kind, grows);
}

static enum verdict judge_path(int folder, const char *path, enum kind kind, int grows) {
  if (control == NULL || path == NULL) return GO;
  int before = errno;
  char whole[PATH_MAX * 2];
  if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
  else {
    char base[PATH_MAX];
    if (folder == AT_FDCWD ? getcwd(base, sizeof base) == NULL : !path_of(folder, base)) { errno = before; return GO; }
    snprintf(whole, sizeof whole, "%s/%s", base, path);
  }
  errno = before;
  return below(whole) ? judge(whole, kind, grows) : GO;
}

static size_t half(size_t size) { return size > 1 ? size / 2 : size; }

/* Where a write without an offset goes. */
static off_t here(int fd, size_t size) {
  int before = errno;
  int flags = fcntl(fd, F_GETFL);
  struct stat now;
  off_t at = flags >= 0 && (flags & O_APPEND) && fstat(fd, &now) == 0 ? now.st_size : lseek(fd, 0, SEEK_CUR);
  errno = before;
  return at < 0 ? -1 : at + (off_t)size;
}

ssize_t write(int fd, const void *from, size_t size) {
  enum verdict said = control == NULL || fd <= 2 ? GO : judge_file(fd, WRITE, here(fd, size));
  if (said == FAIL) return -1;
  ssize_t wrote = REAL(write)(fd, from, said == GO ? size : half(size));
  if (said == HALF_THEN_DIE) kill(getpid(), SIGKILL);
  return wrote;
}

#define PWRITE(name, offset) \
  ssize_t name(int fd, const void *from, size_t size, offset at) { \
    enum verdict said = judge_file(fd, WRITE, (off_t)at + (off_t)size); \
    if (said == FAIL) return -1; \
    ssize_t wrote = REAL(name)(fd, from, said == GO ? size : half(size), at); \
    if (said == HALF_THEN_DIE) kill(getpid(), SIGKILL); \
    return wrote; \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

static size_t sum(const struct iovec *parts, int count) {
  size_t all = 0;
  for (int at = 0; at < count; at += 1) all += parts[at].iov_len;
  return all;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  enum verdict said = control == NULL || fd <= 2 ? GO : judge_file(fd, WRITE, here(fd, sum(parts, count)));
  if (said == FAIL) return -1;
  if (said == GO) return REAL(writev)(fd, parts, count);
  ssize_t wrote = REAL(write)(fd, parts[0].iov_base, half(parts[0].iov_len));
  if (said == HALF_THEN_DIE) kill(getpid(), SIGKILL);
  return wrote;
}

#define PWRITEV(name, one, offset) \
  ssize_t name(int fd, const struct iovec *parts, int count, offset at) { \
    enum verdict said = judge_file(fd, WRITE, (off_t)at + (off_t)sum(parts, count)); \
    if (said == FAIL) return -1; \
    if (said == GO) return REAL(name)(fd, parts, count, at); \
    ssize_t wrote = REAL(one)(fd, parts[0].iov_base, half(parts[0].iov_len), at); \
    if (said == HALF_THEN_DIE) kill(getpid(), SIGKILL); \
    return wrote; \
  }
PWRITEV(pwritev, pwrite, off_t)
PWRITEV(pwritev64, pwrite64, off64_t)

#define ON_FILE(name, kind, end, parameters, ...) \
  int name parameters { return judge_file(fd, kind, end) == FAIL ? -1 : REAL(name)(__VA_ARGS__); }
ON_FILE(ftruncate, TRUNCATE, size, (int fd, off_t size), fd, size)
ON_FILE(ftruncate64, TRUNCATE, size, (int fd, off64_t size), fd, size)
ON_FILE(fsync, SYNC, -1, (int fd), fd)
ON_FILE(fdatasync, SYNC, -1, (int fd), fd)
ON_FILE(fallocate, WRITE, at + size, (int fd, int how, off_t at, off_t size), fd, how, at, size)
ON_FILE(fallocate64, WRITE, at + size, (int fd, int how, off64_t at, off64_t size), fd, how, at, size)

/* These answer the errno itself. */
int posix_fallocate(int fd, off_t at, off_t size) {
  return judge_file(fd, WRITE, at + size) == FAIL ? errno : REAL(posix_fallocate)(fd, at, size);
}
int posix_fallocate64(int fd, off64_t at, off64_t size) {
  return judge_file(fd, WRITE, at + size) == FAIL ? errno : REAL(posix_fallocate64)(fd, at, size);
}

/* A file that is copied is written as the other one is: what failed here fails for each part. */
ssize_t copy_file_range(int from, off64_t *from_at, int fd, off64_t *at, size_t size, unsigned flags) {
  return judge_file(fd, WRITE, LONG_MAX) == FAIL ? -1 : REAL(copy_file_range)(from, from_at, fd, at, size, flags);
}
ssize_t sendfile(int fd, int from, off_t *at, size_t size);
ssize_t sendfile(int fd, int from, off_t *at, size_t size) {
  return judge_file(fd, WRITE, LONG_MAX) == FAIL ? -1 : REAL(sendfile)(fd, from, at, size);
}
ssize_t sendfile64(int fd, int from, off64_t *at, size_t size);
ssize_t sendfile64(int fd, int from, off64_t *at, size_t size) {
  return judge_file(fd, WRITE, LONG_MAX) == FAIL ? -1 : REAL(sendfile64)(fd, from, at, size);
}

/* Only what makes a file, or empties one, is a write. */
static int makes(int folder, const char *path, int flags) {
  if (control == NULL || (flags & (O_CREAT | O_TRUNC)) == 0) return 0;
  int before = errno;
  int there = faccessat(folder, path, F_OK, 0) == 0;
  errno = before;
  return !there || (flags & O_TRUNC) != 0;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); \
    mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0; va_end(rest); \
    if (makes(AT_FDCWD, path, flags) && judge_path(AT_FDCWD, path, CREATE, 1) == FAIL) return -1; \
    return REAL(name)(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); \
    mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0; va_end(rest); \
    if (makes(folder, path, flags) && judge_path(folder, path, CREATE, 1) == FAIL) return -1; \
    return REAL(name)(folder, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

int mkdir(const char *path, mode_t mode) {
  return judge_path(AT_FDCWD, path, CREATE, 1) == FAIL ? -1 : REAL(mkdir)(path, mode);
}
int unlink(const char *path) { return judge_path(AT_FDCWD, path, UNLINK, 0) == FAIL ? -1 : REAL(unlink)(path); }
int remove(const char *path) { return judge_path(AT_FDCWD, path, UNLINK, 0) == FAIL ? -1 : REAL(remove)(path); }
int rmdir(const char *path) { return judge_path(AT_FDCWD, path, UNLINK, 0) == FAIL ? -1 : REAL(rmdir)(path); }
int truncate(const char *path, off_t size) {
  return judge_path(AT_FDCWD, path, TRUNCATE, 1) == FAIL ? -1 : REAL(truncate)(path, size);
}
int truncate64(const char *path, off64_t size) {
  return judge_path(AT_FDCWD, path, TRUNCATE, 1) == FAIL ? -1 : REAL(truncate64)(path, size);
}
int unlinkat(int folder, const char *path, int flags) {
  return judge_path(folder, path, UNLINK, 0) == FAIL ? -1 : REAL(unlinkat)(folder, path, flags);
}
int rename(const char *from, const char *to) {
  return judge_path(AT_FDCWD, to, RENAME, 0) == FAIL ? -1 : REAL(rename)(from, to);
}
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return judge_path(to_folder, to, RENAME, 0) == FAIL ? -1 : REAL(renameat)(from_folder, from, to_folder, to);
}
