"""What is changed of the kernel's simulated GPIO chip, so that it is as on a Pi.

An output keeps its level when its program dies. What is wired to a line is stronger than the chip's own pull. Who polls
``value`` is told of a change. And both parts can be modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_TELL = """\
/* Whoever polls .../sim_gpioN/value hears of it. */
static void gpio_sim_tell(struct gpio_sim_chip *chip, unsigned int offset)
{
\tchar group[16];

\tsnprintf(group, sizeof(group), "sim_gpio%u", offset);
\tsysfs_notify(&chip->gc.gpiodev->dev.kobj, group, "value");
}

"""
_WIRED = """\
\t/* What is wired to the line is stronger than the chip's own pull. */
\tif (test_bit(offset, chip->driven_map))
\t\treturn 0;

"""
_ROOM = """\
\tchip->driven_map = devm_bitmap_zalloc(dev, num_lines, GFP_KERNEL);
\tif (!chip->driven_map)
\t\treturn -ENOMEM;

"""
_TELL_ALL = """\
\t{
\t\tunsigned int line;

\t\tfor_each_set_bit(line, mask, gc->ngpio)
\t\t\tgpio_sim_tell(chip, line);
\t}
"""
_UNLOCK = r"\tmutex_unlock\(&chip->lock\);\n"
_FREED = "gpio_sim_free"


class OtherKernelError(RuntimeError):
    """This kernel's source is not as the changes expect; the text names the place."""


def changed(name: str, source: str) -> str:
    """A file of the kernel's source, changed.

    :param name: the file's, without its folder.
    :raises OtherKernelError: a place was not found.
    """
    for change in _CHANGES.get(name, ()):
        source = change(source)
    return source


def _once(pattern: str, new: Callable[[str], str], source: str) -> str:
    """Put something else in the first place that looks like that."""
    came, times = re.subn(pattern, lambda found: new(found[0]), source, count=1)
    if not times:
        raise OtherKernelError(f"the simulated chip has no {pattern!r}: tests/nightly/pi/chip.py knows other kernels")
    return came


def _before(pattern: str, new: str) -> Callable[[str], str]:
    return lambda source: _once(pattern, lambda found: new + found, source)


def _after(pattern: str, new: str) -> Callable[[str], str]:
    return lambda source: _once(pattern, lambda found: found + new, source)


def _within(function: str, change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda source: _once(rf"static [^;{{}}]*\b{function}\([^;{{}}]*\)\n\{{\n[\s\S]*?\n\}}\n", change, source)


def _last(pattern: str, new: str) -> Callable[[str], str]:
    return _after(rf"[\s\S]*{pattern}", new)


def _without(source: str) -> str:
    """The level of a line does not fall back when nobody holds it any more."""
    source = _within(_FREED, lambda _: "")(source)
    return _once(rf"[^\n]*= {_FREED};\n", lambda _: "", source)


_CHANGES: dict[str, tuple[Callable[[str], str], ...]] = {
    "gpio-sim.c": (
        _after(r"unsigned long \*pull_map;", "\n\tunsigned long *driven_map;"),
        _before(r"static int gpio_sim_apply_pull\(", _TELL),
        *(
            _within(function, _last(_UNLOCK, "\tgpio_sim_tell(chip, offset);\n"))
            for function in ("gpio_sim_apply_pull", "gpio_sim_set", "gpio_sim_direction_output")
        ),
        _within("gpio_sim_set_multiple", _last(_UNLOCK, _TELL_ALL)),
        _within("gpio_sim_set_config", _before(r"\tswitch ", _WIRED)),
        _within(
            "gpio_sim_sysfs_pull_store",
            _before(r"\tret = gpio_sim_apply_pull", "\tset_bit(line_attr->offset, chip->driven_map);\n"),
        ),
        _before(r"\tchip->irq_sim = ", _ROOM),
        _without,
    ),
    "irq_sim.c": (
        _before(r"#include ", "#include <linux/module.h>\n"),
        lambda source: _once(r"irq_to_desc\(irqnum\)", lambda _: "irq_data_to_desc(irq_get_irq_data(irqnum))", source),
        lambda source: source + '\nMODULE_LICENSE("GPL");\n',
    ),
}
