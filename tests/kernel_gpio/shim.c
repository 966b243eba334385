/* Plays the kernel's GPIO chips to a program that is started with LD_PRELOAD: open, ioctl and close of /dev/gpiochipN.
 *
 * $GPIO_SHIM is a folder with a file gpiochipN for each chip, which holds its label, and a file "board", which all
 * processes share. As on a Pi, a line belongs to one process at a time (a lock that the kernel takes back when the
 * process dies), and keeps its level when that one is gone. What is asked is checked as the kernel checks it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { CHIPS = 8, LINES = 54, FDS = 1024, LOG_BYTES = 1 << 18 };

/* Mirrored by Board in __init__.py. */
struct line { unsigned char level, output, pull; };
struct board { struct line lines[CHIPS][LINES]; _Atomic unsigned log_bytes; char log[LOG_BYTES]; };

static struct board *board;
static const char *folder;
static int chip_of_fd[FDS], line_of_fd[FDS]; /* number + 1 */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void)
{
    char path[4096];
    folder = getenv("GPIO_SHIM");
    snprintf(path, sizeof path, "%s/board", folder ? folder : "");
    int fd = REAL(open)(path, O_RDWR | O_CLOEXEC);
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (board == MAP_FAILED)
        abort();
    REAL(close)(fd);
}

static void note(const char *format, ...)
{
    struct timespec now;
    char text[4200];
    clock_gettime(CLOCK_MONOTONIC, &now);
    int used = snprintf(text, sizeof text, "%lld ", now.tv_sec * 1000000000LL + now.tv_nsec);
    va_list values;
    va_start(values, format);
    used += vsnprintf(text + used, sizeof text - used, format, values);
    va_end(values);
    text[used++] = '\n';
    unsigned at = atomic_fetch_add(&board->log_bytes, used);
    if (at + used > LOG_BYTES)
        abort();
    memcpy(board->log + at, text, used);
}

static int open_any(const char *path, int flags, mode_t mode)
{
    char here[4096];
    int chip;
    if (sscanf(path, "/dev/gpiochip%d", &chip) != 1 || chip < 0 || chip >= CHIPS) {
        if ((flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT)
            note("write %s", path);
        return REAL(open)(path, flags, mode);
    }
    snprintf(here, sizeof here, "%s/gpiochip%d", folder, chip);
    int fd = REAL(open)(here, flags);
    if (fd >= 0 && fd < FDS)
        chip_of_fd[fd] = chip + 1;
    return fd;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

DIR *opendir(const char *path)
{
    return REAL(opendir)(strcmp(path, "/dev") ? path : folder);
}

int close(int fd)
{
    if (fd >= 0 && fd < FDS) {
        if (line_of_fd[fd])
            note("close %d", (line_of_fd[fd] - 1) % LINES);
        chip_of_fd[fd] = line_of_fd[fd] = 0;
    }
    return REAL(close)(fd);
}

static int refuse(int error)
{
    errno = error;
    return -1;
}

static int all_zero(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    while (count--)
        if (*byte++)
            return 0;
    return 1;
}

/* One line's configuration; the kernel's own rules (gpiolib-cdev.c). */
static int configure(int chip, int offset, const struct gpio_v2_line_config *asked)
{
    const __u64 pulls = GPIO_V2_LINE_FLAG_BIAS_PULL_UP | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
    const __u64 known = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_OUTPUT | pulls;
    struct line *line = &board->lines[chip][offset];
    int level = 0, output = !!(asked->flags & GPIO_V2_LINE_FLAG_OUTPUT);
    if (asked->num_attrs > GPIO_V2_LINE_NUM_ATTRS_MAX || !all_zero(asked->padding, sizeof asked->padding))
        return refuse(EINVAL);
    if (asked->flags & ~known || output == !!(asked->flags & GPIO_V2_LINE_FLAG_INPUT) || (asked->flags & pulls) == pulls)
        return refuse(EINVAL);
    for (unsigned each = 0; each < asked->num_attrs; each++) {
        const struct gpio_v2_line_config_attribute *attribute = &asked->attrs[each];
        if (attribute->attr.padding || attribute->attr.id != GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES || !output)
            return refuse(EINVAL);
        level = attribute->mask & attribute->attr.values & 1;
    }
    line->output = output;
    line->pull = asked->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP ? 'u' : asked->flags & pulls ? 'd' : 0;
    if (output)
        line->level = level;
    else if (line->pull)
        line->level = line->pull == 'u';
    note(output ? "output %d %d" : "input %d %c", offset, output ? level : line->pull ? line->pull : '-');
    return 0;
}

static int request_line(int chip, struct gpio_v2_line_request *asked)
{
    char path[4096];
    int offset = asked->offsets[0];
    if (asked->num_lines != 1 || offset >= LINES || asked->event_buffer_size)
        return refuse(EINVAL);
    if (!all_zero(asked->padding, sizeof asked->padding))
        return refuse(EINVAL);
    snprintf(path, sizeof path, "%s/line-%d-%d", folder, chip, offset);
    int fd = REAL(open)(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fd >= FDS)
        return refuse(ENOMEM);
    if (flock(fd, LOCK_EX | LOCK_NB)) {
        REAL(close)(fd);
        return refuse(EBUSY);
    }
    if (configure(chip, offset, &asked->config)) {
        REAL(close)(fd);
        return refuse(EINVAL);
    }
    line_of_fd[fd] = chip * LINES + offset + 1;
    asked->fd = fd;
    return 0;
}

static int tell_chip(int chip, int fd, struct gpiochip_info *info)
{
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "gpiochip%d", chip);
    info->lines = LINES;
    return pread(fd, info->label, sizeof info->label - 1, 0) < 0 ? refuse(EIO) : 0;
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    int chip = fd >= 0 && fd < FDS ? chip_of_fd[fd] - 1 : -1;
    int line = fd >= 0 && fd < FDS ? line_of_fd[fd] - 1 : -1;
    unsigned number = request;
    if (chip >= 0 && number == GPIO_GET_CHIPINFO_IOCTL)
        return tell_chip(chip, fd, argument);
    if (chip >= 0 && number == GPIO_V2_GET_LINE_IOCTL)
        return request_line(chip, argument);
    if (line >= 0 && number == GPIO_V2_LINE_SET_CONFIG_IOCTL)
        return configure(line / LINES, line % LINES, argument);
    if (_IOC_TYPE(number) == 0xB4)
        return refuse(ENOTTY);
    return REAL(ioctl)(fd, request, argument);
}
