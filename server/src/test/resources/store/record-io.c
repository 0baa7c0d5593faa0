/* Records all changes to the files below RECORD_DIR in the file RECORD_LOG, in the order in which
 * they happen, for PowerFailureTest. Preloaded with LD_PRELOAD.
 *
 * A record: type (1 byte), number (4 bytes), length of the path (4), offset (8), length of the data
 * (4), path, data; in the byte order of the machine. A sync has two records with the same number:
 * what was written before the first is durable after the second. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 'w', TRUNCATE = 't', SYNC_BEGIN = 's', SYNC_END = 'e', CREATE = 'c', UNLINK = 'u', RENAME = 'r' };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;
static uint32_t numbers = 0;
static const char *directory = NULL;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void start(void) {
    directory = getenv("RECORD_DIR");
    const char *file = getenv("RECORD_LOG");
    if (directory && file) {
        int (*real)(const char *, int, ...) = next("open");
        log_fd = real(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
    }
}

static int is_ours(const char *path) { return log_fd >= 0 && !strncmp(path, directory, strlen(directory)); }

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, 4095);
    if (length < 0) return 0;
    path[length] = 0;
    return is_ours(path);
}

static void all(const void *bytes, size_t length) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = next("write");
    for (const char *at = bytes; length > 0;) {
        ssize_t done = real(log_fd, at, length);
        if (done <= 0) abort();
        at += done;
        length -= done;
    }
}

static void record(char type, uint32_t number, const char *path, int64_t offset, const void *data, uint32_t length) {
    uint32_t path_length = strlen(path);
    char header[21];
    header[0] = type;
    memcpy(header + 1, &number, 4);
    memcpy(header + 5, &path_length, 4);
    memcpy(header + 9, &offset, 8);
    memcpy(header + 17, &length, 4);
    all(header, sizeof header);
    all(path, path_length);
    all(data, length);
}

static ssize_t recorded_write(int fd, const void *data, size_t length, off64_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = next("pwrite64");
    char path[4096];
    if (!path_of(fd, path)) return real(fd, data, length, offset);
    pthread_mutex_lock(&lock);
    ssize_t done = real(fd, data, length, offset);
    if (done > 0) record(WRITE, 0, path, offset, data, done);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return recorded_write(fd, data, length, offset); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return recorded_write(fd, data, length, offset); }

ssize_t write(int fd, const void *data, size_t length) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = next("write");
    char path[4096];
    if (!path_of(fd, path)) return real(fd, data, length);
    pthread_mutex_lock(&lock);
    int append = fcntl(fd, F_GETFL) & O_APPEND;
    off64_t offset = lseek64(fd, 0, append ? SEEK_END : SEEK_CUR);
    ssize_t done = real(fd, data, length);
    if (done > 0) record(WRITE, 0, path, offset, data, done);
    pthread_mutex_unlock(&lock);
    return done;
}

static int recorded_truncate(int fd, off64_t length) {
    static int (*real)(int, off64_t);
    if (!real) real = next("ftruncate64");
    char path[4096];
    if (!path_of(fd, path)) return real(fd, length);
    pthread_mutex_lock(&lock);
    int result = real(fd, length);
    if (result == 0) record(TRUNCATE, 0, path, length, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate64(int fd, off64_t length) { return recorded_truncate(fd, length); }
int ftruncate(int fd, off_t length) { return recorded_truncate(fd, length); }

static int recorded_sync(int fd, const char *name) {
    int (*real)(int) = next(name);
    char path[4096];
    if (!path_of(fd, path)) return real(fd);
    pthread_mutex_lock(&lock);
    uint32_t number = ++numbers;
    record(SYNC_BEGIN, number, path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    int result = real(fd);
    if (result == 0) {
        pthread_mutex_lock(&lock);
        record(SYNC_END, number, path, 0, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

int fsync(int fd) { return recorded_sync(fd, "fsync"); }
int fdatasync(int fd) { return recorded_sync(fd, "fdatasync"); }

static int recorded_open(const char *path, int flags, int mode) {
    static int (*real)(const char *, int, ...);
    if (!real) real = next("open64");
    if (log_fd < 0 || !is_ours(path)) return real(path, flags, mode);
    pthread_mutex_lock(&lock);
    int existed = access(path, F_OK) == 0;
    int fd = real(path, flags, mode);
    if (fd >= 0 && !existed) record(CREATE, 0, path, 0, NULL, 0);
    if (fd >= 0 && existed && flags & O_TRUNC) record(TRUNCATE, 0, path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return fd;
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    return recorded_open(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    return recorded_open(path, flags, mode);
}

int unlink(const char *path) {
    int (*real)(const char *) = next("unlink");
    if (log_fd < 0 || !is_ours(path)) return real(path);
    pthread_mutex_lock(&lock);
    int result = real(path);
    if (result == 0) record(UNLINK, 0, path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = next("rename");
    if (log_fd < 0 || !is_ours(from)) return real(from, to);
    pthread_mutex_lock(&lock);
    int result = real(from, to);
    if (result == 0) record(RENAME, 0, from, 0, to, strlen(to));
    pthread_mutex_unlock(&lock);
    return result;
}
