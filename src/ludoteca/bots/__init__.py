"""Players that are programs: they are given only what their seat may see."""
