"""Refuses a requirements.lock that disagrees with pyproject.toml; asks no server."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)")


def wanted() -> list[Requirement]:
    """Give what pyproject.toml asks for, of every group."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project.get("dependency-groups", {}).values()
    lines = [*project["project"]["dependencies"], *(line for group in groups for line in group)]
    return [Requirement(line) for line in lines]


def pins(lock: str) -> dict[str, Version]:
    """Give the locked version of each package."""
    found = (PIN.match(line) for line in lock.splitlines())
    return {canonicalize_name(pin[1]): Version(pin[2]) for pin in found if pin}


def needs_of(name: str) -> Iterator[str]:
    """Give the packages that an installed package may need, on any system and with any extra."""
    try:
        lines = requires(name) or []
    except PackageNotFoundError:  # locked for another system
        lines = []
    for line in lines:
        yield canonicalize_name(Requirement(line).name)


def reachable(roots: Iterable[str], locked: dict[str, Version]) -> set[str]:
    """Give the locked packages that the roots need, directly or not."""
    seen: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in locked and name not in seen:
            seen.add(name)
            waiting += needs_of(name)
    return seen


def disagreements(requirements: list[Requirement], lock: str) -> Iterator[str]:
    """Say, one sentence each, where the lock and pyproject.toml differ."""
    locked = pins(lock)
    for requirement in requirements:
        version = locked.get(canonicalize_name(requirement.name))
        if version is None:
            yield f"{requirement.name} is not in requirements.lock."
        elif not requirement.specifier.contains(version, prereleases=True):
            yield f"{requirement.name} is locked at {version}; pyproject.toml asks {requirement}."
    needed = reachable((canonicalize_name(one.name) for one in requirements), locked)
    for name in sorted(locked.keys() - needed):
        yield f"{name} is in requirements.lock and nothing asks for it."
    unhashed = [line for line in lock.splitlines() if PIN.match(line) and "\\" not in line]
    for line in unhashed:
        yield f"{line} has no hash."
    if "://" in lock:
        yield "requirements.lock names an address; it must work with any index."


def main() -> None:
    """Print every disagreement and fail if there is one."""
    found = list(disagreements(wanted(), (ROOT / "requirements.lock").read_text(encoding="utf-8")))
    for sentence in found:
        print(sentence, file=sys.stderr)
    if found:
        sys.exit("Run `make lock`.")


if __name__ == "__main__":
    main()
