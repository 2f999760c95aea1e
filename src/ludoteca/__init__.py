"""Ludoteca: four modern board games on one engine, for players, for bots and for designers."""

__version__ = "0.2.0"
