"""Finished work, kept in one SQLite file: what a kill, an error or another process left is there to be read and gone on with."""

from boundcheck.store.database import NotAStore, PlannedWork, Store, StoredWork
from boundcheck.store.encoding import Packed, pack, unpack
from boundcheck.store.journal import Failure, Journal, Settled
from boundcheck.store.leases import Kept, Shared, cells_of

__all__ = [
    "Failure",
    "Journal",
    "Kept",
    "NotAStore",
    "Packed",
    "PlannedWork",
    "Settled",
    "Shared",
    "Store",
    "StoredWork",
    "cells_of",
    "pack",
    "unpack",
]
