"""Finished work, kept in one SQLite file: what a kill, an error or another process left is there to be read and gone on with."""

from boundcheck.store.database import NotAStore, Planned, Store, Work
from boundcheck.store.packing import Packed, pack, unpack

__all__ = ["NotAStore", "Packed", "Planned", "Store", "Work", "pack", "unpack"]
