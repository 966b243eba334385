"""Virtual time: the world goes on by itself, and the loop may be late."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from dispenser.clocks.virtual import Lateness, VirtualLoop, VirtualWorld


def run(script: Callable[[VirtualLoop], Coroutine[Any, Any, None]], lateness: Lateness | None = None) -> VirtualLoop:
    loop = VirtualLoop(lateness=lateness)
    try:
        loop.run_until_complete(script(loop))
    finally:
        loop.close()
    return loop


def scripted(*delays_s: float) -> Lateness:
    """Late by these, one after the other, and then never again."""
    left = list(delays_s)
    return lambda: left.pop(0) if left else 0.0


# --- the world ---


def test_things_happen_in_order_each_at_its_own_time() -> None:
    world, seen = VirtualWorld(100.0), list[tuple[str, float]]()
    for name, when in (("late", 100.3), ("early", 100.1), ("early too", 100.1)):
        world.call_at(when, lambda name=name: seen.append((name, world.time())))  # type: ignore[misc]
    world.run_until(100.2)
    assert (seen, world.time(), world.next_s()) == ([("early", 100.1), ("early too", 100.1)], 100.2, 100.3)
    world.run_for(1.0)
    assert seen[2:] == [("late", 100.3)]
    assert world.time() == 101.2
    world.call_at(3.0, lambda: seen.append(("past", world.time())))
    world.call_at(102.0, lambda: pytest.fail("called off")).cancel()
    world.run_for(2.0)
    assert seen[3:] == [("past", 101.2)]


# --- a loop in it ---


def test_time_jumps_to_whatever_comes_next_in_the_world_or_on_the_loop() -> None:
    async def script(loop: VirtualLoop) -> None:
        seen = []
        loop.world.call_at(1.0, lambda: seen.append(("world", loop.time())))
        loop.call_at(2.0, lambda: seen.append(("loop", loop.time())))
        loop.world.call_at(2.0, lambda: seen.append(("world", loop.time())))
        loop.world.call_at(3600.0, lambda: seen.append(("world", loop.time())))
        await asyncio.sleep(7200.0)
        assert seen == [("world", 1.0), ("world", 2.0), ("loop", 2.0), ("world", 3600.0)]
        assert loop.time() == 7200.0

    run(script)


def test_the_world_happens_outside_the_loops_callbacks_and_can_wake_it_as_another_thread_can() -> None:
    async def script(loop: VirtualLoop) -> None:
        inside: list[bool] = []
        heard, said = loop.create_future(), loop.create_future()

        def happen() -> None:
            inside.append(asyncio.current_task() is not None)
            loop.call_soon_threadsafe(lambda: heard.set_result(loop.time()))

        loop.world.call_at(0.123456789, happen)
        assert await heard == 0.123456789
        assert inside == [False]
        thread = threading.Thread(target=loop.call_soon_threadsafe, args=(said.set_result, "hello"))
        thread.start()
        assert await said == "hello"
        thread.join()

    run(script)


def test_a_late_loop_takes_everything_in_one_go_and_the_world_has_gone_on() -> None:
    async def script(loop: VirtualLoop) -> None:
        happened: list[float] = []
        taken: list[tuple[float, float]] = []

        def happen(at_s: float) -> None:
            happened.append(loop.time())
            loop.call_soon_threadsafe(lambda: taken.append((at_s, loop.time())))

        for at_s in (1.0, 1.1, 1.2, 1.4):
            loop.world.call_at(at_s, lambda at_s=at_s: happen(at_s))  # type: ignore[misc]
        loop.call_at(1.15, lambda: taken.append((1.15, loop.time())))
        loop.lateness = scripted(0.3)  # at 1.0 s
        await asyncio.sleep(2.0)
        assert happened == [1.0, 1.1, 1.2, 1.4]
        assert taken == [(1.0, 1.3), (1.1, 1.3), (1.2, 1.3), (1.15, 1.3), (1.4, 1.4)]

    run(script)


def test_a_stall_in_the_middle_of_a_callback_does_not_stop_the_world() -> None:
    async def script(loop: VirtualLoop) -> None:
        happened: list[float] = []
        for at_s in (0.1, 0.2, 0.4):
            loop.world.call_at(at_s, lambda: happened.append(loop.time()))
        loop.world.run_for(0.3)
        assert happened == [0.1, 0.2]
        assert loop.time() == 0.3
        await asyncio.sleep(0.1)
        assert happened == [0.1, 0.2, 0.4]

    run(script)


def test_an_error_in_the_world_is_the_loops_to_handle_and_nothing_is_lost_with_it() -> None:
    async def script(loop: VirtualLoop) -> None:
        errors: list[object] = []
        loop.set_exception_handler(lambda _, context: errors.append(context["exception"]))
        error = ZeroDivisionError("on purpose")

        def fail() -> None:
            raise error

        loop.world.call_at(1.0, fail)
        loop.world.call_at(1.0, lambda: errors.append("next"))
        await asyncio.sleep(2.0)
        assert errors == [error, "next"]

    run(script)


def test_time_stands_still_while_a_job_is_under_way() -> None:
    async def script(loop: VirtualLoop) -> None:
        begun, may_end = threading.Event(), threading.Event()

        def job() -> float:
            begun.set()
            may_end.wait()
            return loop.time()

        under_way = asyncio.ensure_future(asyncio.to_thread(job))
        await asyncio.sleep(0)
        begun.wait()
        loop.world.call_at(5.0, lambda: None)
        loop.call_soon(may_end.set)
        assert await under_way == 0.0
        assert loop.time() == 0.0
        await asyncio.sleep(5.0)
        assert loop.time() == 5.0

    run(script)


def test_a_socket_is_heard_though_time_jumps() -> None:
    async def script(loop: VirtualLoop) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            thread = threading.Thread(target=theirs.send, args=(b"hello",))
            thread.start()
            assert await loop.sock_recv(ours, 5) == b"hello"  # nothing else is to come: a true wait
            thread.join()
            theirs.send(b"again")
            await asyncio.sleep(3600.0)
            assert await loop.sock_recv(ours, 5) == b"again"

    run(script)
