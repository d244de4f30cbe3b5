"""Everything here needs the extra `pep`."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def pepit():
    return pytest.importorskip("PEPit")
