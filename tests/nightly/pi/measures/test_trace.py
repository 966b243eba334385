"""What the kernel writes down is read as it is meant; no virtual Pi is needed for that."""

from __future__ import annotations

import pytest

from tests.nightly.pi.measures.trace import Event, compared, delays_s, events_in

TRACE = """\
# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
          <idle>-0       [000] d.h1.    12.905523: irq_handler_entry: irq=25 name=virtio0-virtqueues
         python3-228     [000] .....    14.284022: tracing_mark_write: edge
          <idle>-0       [000] d.h1.    14.284030: irq_handler_entry: irq=25 name=virtio0-virtqueues
         python3-228     [000] d.h1.    14.284032: irq_handler_entry: irq=26 name=lg
          python-202     [000] .....    14.284100: gpio_value: 995 set 0
          python-202     [000] .....    14.311260: gpio_value: 995 set 1
          python-218     [000] .....    14.431388: gpio_value: 995 set 0
         python3-228     [000] d.h1.    14.434116: irq_handler_entry: irq=26 name=lg
          python-202     [000] .....    14.500000: gpio_value: 995 set 1
         python3-228     [000] .....    15.318629: tracing_mark_write: edge
         python3-228     [000] d.h1.    15.318639: irq_handler_entry: irq=26 name=lg
          python-202     [000] .....    15.344911: gpio_value: 995 set 1
"""


def test_a_delay_is_from_the_edge_after_a_mark_to_the_first_such_level() -> None:
    assert delays_s(events_in(TRACE), 1) == pytest.approx([0.027228, 0.026272])


def test_an_edge_that_nothing_follows_gives_no_delay() -> None:
    assert delays_s(events_in(TRACE)[:4], 1) == []
    assert delays_s(events_in(TRACE), 0) == pytest.approx([0.000068]), "the second one never goes low"


def test_each_line_but_the_head_is_an_event_whatever_its_program_is_called() -> None:
    assert len(events_in(TRACE)) == 12
    assert events_in(f"{'a b: c [1]':>16}-77      [000] d.h1.     1.500000: signal_generate: sig=9 comm=x") == [
        Event(1.5, "signal_generate", "sig=9 comm=x")
    ]


def test_two_rows_tell_median_and_the_longest_of_a_few() -> None:
    median, p99 = compared("edges", "edge", [0.001, 0.001, 0.004], [0.002, 0.001, 0.008], 1.5)
    assert (median.ours, median.baseline, median.met) == (2.0, 1.0, False)
    assert (p99.ours, p99.baseline, p99.ratio) == (8.0, 4.0, 2.0)
