"""Figures with their aims."""

from __future__ import annotations


def with_aim(what: str, figure: float, aim: float, unit: str) -> None:
    """Print a figure with the most that it should be."""
    print(f"{what:<36} {figure:7.1f} {unit:<2}  aim {aim:g}  {'kept' if figure <= aim else 'MISSED'}")
