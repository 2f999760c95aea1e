"""Measurements: arenas between bots, balance reports, learning, benchmarks, and a server under load."""
