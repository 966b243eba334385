"""What the library says of a command line that is wrong; in English only, but for the frame around it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from dispenser.cli.spoken import in_words
from dispenser.language import Text, recognised

_SENTENCES: Final = (
    Text("Invalid value: {reason}"),
    Text("Invalid value for {place}: {reason}"),
    Text("Missing argument {place}. Choose from:\n\t{choices}"),
    Text("Missing argument {place}."),
    Text("Missing option {place}. Choose from:\n\t{choices}"),
    Text("Missing option {place}."),
    Text("No such option: {option} (Possible options: {options})"),
    Text("No such option: {option}"),
    Text("No such command {name}."),
    Text("Got unexpected extra argument(s) ({arguments})"),
    Text("Option {option} does not take a value."),
    Text("Option {option} requires an argument."),
    Text("{value} is not a valid int."),
    Text("{value} is not a valid int range."),
    Text("{value} is not a valid float."),
    Text("{value} is not a valid float range."),
    Text("{value} is not a valid boolean. Recognized values: {values}"),
    Text("{value} is not in the range {range}."),
    Text("{value} is not one of {choices}."),
    Text("{kind} {path} does not exist."),
    Text("{kind} {path} is a file."),
    Text("{kind} {path} is a directory."),
    Text("{kind} {path} is not readable."),
    Text("{kind} {path} is not writable."),
    Text("File"),
    Text("Directory"),
    Text("Path"),
)


@contextmanager
def usage_errors_in_words() -> Iterator[None]:
    """The library's errors say what they say in the language of the terminal."""
    try:
        yield
    except Exception as error:
        if isinstance(getattr(error, "message", None), str) and hasattr(error, "format_message"):
            words = in_words(recognised(error.format_message(), _SENTENCES))
            error.format_message = lambda: words
        raise
