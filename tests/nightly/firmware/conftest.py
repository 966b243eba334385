"""What the tests of tests/firmware have around them, too."""

from tests.firmware.conftest import no_wait_for_an_interpreter

__all__ = ["no_wait_for_an_interpreter"]
