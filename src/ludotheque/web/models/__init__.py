"""What the database stores, by subject. Django finds the models here."""

from ludotheque.web.models.keeper import Block, Removal
from ludotheque.web.models.puzzle import Attempt, Booklet, Puzzle
from ludotheque.web.models.replay import Replay
from ludotheque.web.models.table import Event, Seat, Table, fresh_id

__all__ = ["Attempt", "Block", "Booklet", "Event", "Puzzle", "Removal", "Replay", "Seat", "Table", "fresh_id"]
