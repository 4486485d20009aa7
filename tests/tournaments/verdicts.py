"""What the verifier says of a whole tournament; for tests."""

from __future__ import annotations

from tournaments.placing.verifier import verify_placing


def broken_in(played, roster, *, placement: str, **wishes):
    """The promises that the rounds break, each looked at after those before it."""
    return [
        broken
        for number, one in enumerate(played)
        for broken in verify_placing(
            roster,
            played[:number],
            one,
            placement=placement,
            reasons=[reason.as_data() for reason in one.reasons],
            **wishes,
        ).broken
    ]
