"""The lock and pyproject.toml say the same."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest
from packaging.requirements import Requirement

from tests.launched import ROOT

LOCK = "babel==2.19.0 \\\n    --hash=sha256:00\n"


@pytest.fixture(scope="module")
def check_lock() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_lock", ROOT / ".ci" / "check_lock.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_lock_that_gives_what_is_asked_is_accepted(check_lock):
    assert list(check_lock.disagreements([Requirement("Babel>=2.19")], LOCK)) == []


@pytest.mark.parametrize(
    ("asked", "lock", "sentence"),
    [
        ("celery>=5", LOCK, "celery is not in requirements.lock."),
        ("babel>=3", LOCK, "babel is locked at 2.19.0; pyproject.toml asks babel>=3."),
        (
            "babel",
            LOCK + "django==6.1 \\\n    --hash=sha256:00\n",
            "django is in requirements.lock and nothing asks for it.",
        ),
        ("babel", "babel==2.19.0\n", "babel==2.19.0 has no hash."),
        (
            "babel",
            "--index-url https://packages.example\n" + LOCK,
            "requirements.lock names an address; it must work with any index.",
        ),
    ],
)
def test_a_lock_that_disagrees_is_refused(check_lock, asked, lock, sentence):
    assert sentence in list(check_lock.disagreements([Requirement(asked)], lock))
