"""The hand that does at the simulated launcher what a wizard asks for."""

from __future__ import annotations

from dispenser.maintenance.wizard import Hand
from dispenser.simulator import Toy

FULL_CARDS = 100  # So many cards are put in


def lend_a_hand(toy: Toy, hand: Hand) -> None:
    """Do it once."""
    match hand:
        case Hand.LIFT_LID:
            toy.open_lid()
        case Hand.SHUT_LID:
            toy.close_lid()
        case Hand.PUSH_BUTTON:
            toy.push_button()
        case Hand.BLOCK_EXIT:
            toy.drive_line("exit", active=True)
        case Hand.FREE_EXIT:
            toy.drive_line("exit", active=False)
            toy.take_card()
            toy.hands_on("exit")
        case Hand.LOAD_CARDS:
            toy.load(max(0, FULL_CARDS - toy.view().cards_in_stack))
            toy.close_lid()
