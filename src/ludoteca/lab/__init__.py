"""Measurements: arenas between bots, and benchmarks."""
