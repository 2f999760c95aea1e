"""What a finished game says about how it was played: what each decision cost, what was luck, where it was decided."""
