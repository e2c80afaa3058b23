"""Textual's panel of all active keys, in the current language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.dom import DOMNode
from textual.widgets import HelpPanel, KeyPanel, Markdown

from companion.tui.terminal.textual_texts import translate


class KeysPanel(HelpPanel):
    """The panel of keys, with the titles and tooltips of keys in the current language."""

    def compose(self) -> ComposeResult:
        """See `textual.widgets.HelpPanel.compose`."""
        yield Markdown(id="widget-help")
        yield _TranslatedKeys(id="keys-help")


class _TranslatedKeys(KeyPanel):
    """The table of keys in that panel."""

    def compose(self) -> ComposeResult:
        """See `textual.widgets.KeyPanel.compose`."""
        for widget in super().compose():
            table: Any = widget
            render = type(table).render_bindings_table
            # The table asks its screen for the keys: for its rendering it gets them translated.
            table.render_bindings_table = lambda table=table, render=render: render(_with_translated_keys(table))
            yield widget


def _with_translated_keys(table: Any) -> SimpleNamespace:
    """Return what the rendering of the table looks at, with translated keys."""
    return SimpleNamespace(
        app=table.app,
        screen=SimpleNamespace(active_bindings=_translate_bindings(table.screen.active_bindings)),
        get_component_styles=table.get_component_styles,
        get_component_rich_style=table.get_component_rich_style,
    )


class _Group:
    """Stands for the widget whose keys are below a heading."""

    def __init__(self, node: DOMNode) -> None:
        self.BINDING_GROUP_TITLE = translate(node.BINDING_GROUP_TITLE or "")


def _translate_bindings(bindings: Mapping[str, ActiveBinding]) -> dict[str, tuple[object, ...]]:
    groups = {active.node: _Group(active.node) for active in bindings.values()}
    return {
        key: (
            groups[active.node],
            replace(
                active.binding,
                description=translate(active.binding.description),
                tooltip=translate(active.binding.tooltip),
            ),
            active.enabled,
            translate(active.tooltip),
        )
        for key, active in bindings.items()
    }
