"""``TableRefusal``: the table refuses a command, and nothing has changed."""

from __future__ import annotations

from dispenser.i18n import SpokenError, Text


class TableRefusal(SpokenError):  # noqa: N818 - a refusal is what it is called
    """Error: the table refuses the command now. The text says why, and what to do.

    :ivar rule: ID of the rule that forbids it, if one does.
    """

    def __init__(self, text: Text, word: str = "refused", rule: str | None = None) -> None:
        super().__init__(text)
        self.word = word
        self.rule = rule


class TooLateError(TableRefusal):
    """Error: the state that the command was meant for has changed since."""

    def __init__(self) -> None:
        super().__init__(Text("Too late: somebody was faster. Look again."), "too_late")
