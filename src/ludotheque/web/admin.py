"""The keeper's view of tables: everything but secrets, for searches, too; rows can be deleted, but not changed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest

from ludotheque.web.models import Replay, Seat, Table

if TYPE_CHECKING:
    Inline = admin.TabularInline[Seat, Table]
    Admin = admin.ModelAdmin[Table]
    ReplayAdmin = admin.ModelAdmin[Replay]
else:  # generic for the checker alone
    Inline = admin.TabularInline
    Admin = ReplayAdmin = admin.ModelAdmin


class Seats(Inline):
    model = Seat
    fields = ("number", "kind", "level", "name")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        return False


@admin.register(Table)
class Tables(Admin):
    list_display = ("id", "game", "status", "version", "listed", "made", "changed")
    list_filter = ("game", "status", "listed")
    search_fields = ("id", "seats__name")
    fields = ("id", "game", "options", "status", "version", "listed", "by_lot", "made", "changed", "commitment")
    readonly_fields = fields
    inlines = (Seats,)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def lookup_allowed(self, lookup: str, _value: str, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's
        return _is_filter(lookup, self.list_filter)


@admin.register(Replay)
class Replays(ReplayAdmin):
    list_display = ("id", "table", "whole", "made")
    list_filter = ("whole",)
    search_fields = ("id",)
    fields = ("id", "table", "whole", "claimed", "made")
    readonly_fields = fields

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def lookup_allowed(self, lookup: str, _value: str, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's
        return _is_filter(lookup, self.list_filter)


def _is_filter(lookup: str, shown: Iterable[object]) -> bool:
    """Whether an address may select rows by this (`?seed__startswith=a`): only by the filters beside the list."""
    return lookup.partition("__")[0] in shown
