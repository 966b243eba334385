/* What <linux/gpio.h> and <fcntl.h> say, as the compiler sees it: a name and its value on each line, bytes in hexadecimal. */
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <string.h>

static void show(const char *name, const void *bytes, size_t count)
{
    printf("%s ", name);
    for (size_t each = 0; each < count; each++)
        printf("%02x", ((const unsigned char *)bytes)[each]);
    printf("\n");
}

static struct gpio_v2_line_config output(int level)
{
    struct gpio_v2_line_config config = {.flags = GPIO_V2_LINE_FLAG_OUTPUT, .num_attrs = 1};
    config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
    config.attrs[0].attr.values = level;
    config.attrs[0].mask = 1;
    return config;
}

int main(void)
{
    struct gpio_v2_line_config low = output(0), high = output(1);
    struct gpio_v2_line_config down = {.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN};
    struct gpio_v2_line_request request = {.offsets = {25}, .consumer = "dispenser.motor_off", .config = low};
    request.num_lines = 1;
    struct gpio_v2_line_request answered = request;
    answered.fd = 7;
    struct gpiochip_info chip = {.name = "gpiochip0", .label = "pinctrl-bcm2711", .lines = 58};
    printf("GET_CHIP_INFO %x\n", (unsigned)GPIO_GET_CHIPINFO_IOCTL);
    printf("GET_LINE %x\nSET_CONFIG %x\n", (unsigned)GPIO_V2_GET_LINE_IOCTL, (unsigned)GPIO_V2_LINE_SET_CONFIG_IOCTL);
    show("low", &low, sizeof low);
    show("high", &high, sizeof high);
    show("down", &down, sizeof down);
    show("request", &request, sizeof request);
    show("answered", &answered, sizeof answered);
    show("chip", &chip, sizeof chip);
    struct flock lock;
    memset(&lock, 0, sizeof lock); /* its padding, too */
    lock.l_type = F_WRLCK, lock.l_whence = SEEK_SET, lock.l_start = 1, lock.l_len = 2, lock.l_pid = 3;
    printf("F_GETLK %x\n", F_GETLK);
    show("lock", &lock, sizeof lock);
    return 0;
}
