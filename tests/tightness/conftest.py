"""Everything here needs the extra `pep`."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def clarabel():
    return pytest.importorskip("clarabel")
