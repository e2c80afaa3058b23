"""Shared parts of the commands of `companion labels design`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labels.designs.own import Design


def plain_design(design: Design) -> dict[str, Any]:
    return {"title": design.title, "stock": design.stock, "fields": design.fields}
