"""Challengers! for people: the tournament as JSON, and what each choice means.

Everything here reads the record as its viewer may see it. Cards travel by their id; what is printed on them is in
`components/cards.csv`, their names and texts in the word catalogues (`card.<id>`, `text.<id>`). Teams are numbered like
seats; with an odd number of players the Robot is the team after the last seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludoteca.core.game import Json
from ludoteca.core.log import no_log
from ludoteca.core.record import HIDDEN, SPECTATOR

from .actions import ACTIONS, CHOOSE, CHOOSE_LEVEL, ENOUGH, FIND, MARK, NEXT, PICK, REDRAW_NOW, REMOVE, TO_BOTTOM
from .components import (
    AMOUNT,
    ASKED_OF_A_BENCH,
    CARDS,
    DRAFT_LEVELS,
    EFFECT,
    EFFECTS,
    EXCHANGE,
    EXTRA_SETS,
    FLAG_POSSESSION,
    HELPS,
    KINDS,
    LEVEL,
    LEVEL_NAMES,
    MUST,
    NAME,
    NAMES,
    OF_THE_NAME,
    PARK_NAMES,
    PARKS,
    PICKS,
    PLAN_PARK,
    ROBOT_CARDS,
    ROUNDS,
    SETS,
    SOLO_CARDS,
    TIMING,
    TROPHY,
    WHEN_CHOSEN,
    WHILE_ATTACKING,
    A,
    R,
)
from .facts import final_is_on
from .rules.drafting import left_in_deck, may_exchange, may_redraw, may_remove_any, pick
from .rules.effects import bench_asked, window
from .rules.power import attack_power, base_power, card_power, flag_power, helps, measured
from .rules.tournament import ENOUGH_LEAD, ranks
from .state import (
    DECIDED,
    DECK,
    DRAWN,
    EXCHANGE_STEP,
    FINAL,
    FINAL_TRIM,
    NO_MATCH,
    PLAYING,
    SEATS_ON_BENCH,
    TEAMS,
    State,
)

PHASES = ("deck", "match", "final_trim", "final", "over")
STEPS = ("ready", "level", "draft", "redraw", "exchange", "trim", "awaiting")
MATCHES = ("waiting", "live", "over")
LOST_BY = (None, "power", "seats")
HOW_OVER = (None, "rounds", "lead", "final")
STARS = 3  # cards that shone, for the ceremony


def card_id(kind: int) -> str | None:
    return None if kind < 0 else CARDS[kind].id


def team_or_none(team: int) -> int | None:
    return None if team < 0 else int(team)


def counted(row: Any) -> list[Json]:
    """Cards by kind, as a list of ids and numbers."""
    return [{"card": CARDS[kind].id, "count": count} for kind, count in enumerate(row.tolist()) if count > 0]


# The table


def view(state: State, viewer: int) -> Json:
    """The tournament as this viewer sees it."""
    state.opened()
    return {
        "phase": PHASES[state.phase],
        "round": state.round_number,
        "rounds": ROUNDS,
        "sets": [name for n, name in enumerate(SETS[:-1]) if n != state.left_out],
        "left_out": SETS[state.left_out],
        "parks": list(PARK_NAMES[: state.parks]),
        "robot": robot(state),
        "lead_to_win": ENOUGH_LEAD if state.seats <= 2 else None,
        "stacks": [stack_view(state, n) for n in range(DRAFT_LEVELS)],
        "schedule": [round_view(state, row) for row in range(ROUNDS)],
        "final": final_view(state),
        "teams": [team_view(state, team) for team in range(state.teams)],
        "standings": standings(state),
        "matches": [match_view(state, park) for park in range(PARKS) if state.match_on[park] != NO_MATCH],
        "you": None if viewer == SPECTATOR else own_view(state, viewer),
        "champion": team_or_none(state.champion),
        "over": HOW_OVER[state.over],
    }


def robot(state: State) -> Json | None:
    """The Robot's team, how hard it is, and how many of its cards were drawn at random."""
    if state.teams == state.seats:
        return None
    team = int(state.seats)
    return {
        "team": team,
        "difficulty": state.difficulty,
        "solo_cards": bool(state.solo_cards),
        "random_cards": int(state.by_level[team, R]),
    }


def stack_view(state: State, stack: int) -> Json:
    drawn = int(state.taken[stack].sum())
    return {
        "level": LEVEL_NAMES[stack + A],
        "left": int(state.stack_size[stack]) - drawn,
        "discards": int(state.discards_size[stack]),
    }


def round_view(state: State, row: int) -> Json:
    """One line of the schedule: what is drafted, what the trophy may be worth, who meets whom where."""
    places: dict[int, list[int]] = {}
    for team in range(state.teams):
        places.setdefault(int(PLAN_PARK[(state.teams - 1) // 2, state.plan[team], row]), []).append(team)
    now = row == state.round_number - 1
    matches = []
    for park, teams in sorted(places.items()):
        winner = int(state.winner[row, park])
        playing = now and state.phase == 1 and state.match_on[park] == PLAYING
        matches.append({
            "park": PARK_NAMES[park], "teams": teams, "winner": team_or_none(winner),
            "lost_by": LOST_BY[state.lost_by[row, park]],
            "state": "over" if winner >= 0 else "live" if playing else "waiting",
        })  # fmt: skip
    return {
        "round": row + 1,
        "levels": [{"level": LEVEL_NAMES[n + A], "picks": int(p)} for n, p in enumerate(PICKS[row].tolist()) if p],
        "trophy": {"low": min(TROPHY[row].tolist()), "high": max(TROPHY[row].tolist())},
        "matches": matches,
    }


def final_view(state: State) -> Json | None:
    """The two finalists, once they are known."""
    if state.finalists[0] < 0:
        return None
    return {
        "teams": state.finalists.tolist(),
        "winner": team_or_none(state.winner[FINAL, 0]),
        "lost_by": LOST_BY[state.lost_by[FINAL, 0]],
        "by_lot": bool(state.lots[0] >= TEAMS),
    }


def team_view(state: State, team: int) -> Json:
    """What everybody may know of a team."""
    deck_phase = state.phase in (DECK, FINAL_TRIM)
    return {
        "plan": int(state.plan[team]) + 1,
        "deck_size": int(state.deck_size[team]),
        "by_level": {LEVEL_NAMES[level]: n for level, n in enumerate(state.by_level[team].tolist()) if n},
        "shown": counted(state.shown[team]),
        "removed_since": {LEVEL_NAMES[level]: n for level, n in enumerate(state.doubt[team].tolist()) if n},
        "step": STEPS[state.step[team]] if deck_phase and team < state.seats else None,
        "level": None if state.level[team] < 0 else LEVEL_NAMES[state.level[team] + A],
        "picks": int(state.picks[team]),
        "picked": int(state.picked[team]),
        "redraw": bool(state.phase == DECK and state.level[team] >= 0 and may_redraw(state, team)),
        "fans": int(state.fans[team]),
        "trophies": trophies(state, team),
        "stars": stars(state, team),
    }


def trophies(state: State, team: int) -> list[Json]:
    """The trophies of a team; what is on the back, where this viewer may know it."""
    found = []
    for row in range(ROUNDS):
        for park in range(PARKS):
            if state.winner[row, park] == team and state.trophy_seen[row, park] != 0:
                fans = int(state.trophy[row, park])
                found.append({"round": row + 1, "park": PARK_NAMES[park], "fans": None if fans == HIDDEN else fans})
    return found


def stars(state: State, team: int) -> list[Json]:
    """The cards that took the flag most often."""
    taken = state.flags_taken[team].tolist()
    best = sorted((kind for kind in range(KINDS) if taken[kind]), key=lambda kind: (-taken[kind], kind))
    return [{"card": CARDS[kind].id, "flags": taken[kind]} for kind in best[:STARS]]


def standings(state: State) -> list[Json]:
    """Fans as far as this viewer can know: from the least to the most they may be. Best first."""
    lines = []
    for team in range(state.teams if state.seats == 1 else state.seats):
        low = high = int(state.fans[team])
        for trophy in trophies(state, team):
            row = trophy["round"] - 1
            low += int(TROPHY[row].min()) if trophy["fans"] is None else trophy["fans"]
            high += int(TROPHY[row].max()) if trophy["fans"] is None else trophy["fans"]
        count, best = int(state.trophies[team]), int(state.best_trophy[team])
        lines.append({"team": team, "low": low, "high": high, "trophies": count, "best_trophy": best})
    finals = [int(t) for t in state.finalists.tolist()]
    lines.sort(key=lambda line: (
        line["team"] != state.champion,
        line["team"] not in finals,
        -(line["low"] + line["high"]), -line["trophies"], -line["best_trophy"], line["team"],
    ))  # fmt: skip
    return lines


# A match


def match_view(state: State, park: int) -> Json:
    """One match as it stands, or as it ended: both sides, the sums, and the question if there is one."""
    final = final_is_on(state)
    opener = int(state.opener[park])
    attacker = int(state.attacker[park])
    holder = int(state.rival[attacker])
    row = FINAL if final else state.round_number - 1 if state.phase != DECK else state.round_number - 2
    live = state.match_on[park] == PLAYING
    winner = int(state.winner[row, park]) if state.match_on[park] == DECIDED else -1
    if winner >= 0:
        state = as_it_was(state, row, winner)
    flag = int(flag_power(state, holder)) if state.lineup_size[holder] else None
    return {
        "park": "final" if final else PARK_NAMES[park],
        "round": None if final else row + 1,
        "state": MATCHES[state.match_on[park]],
        "opener": opener,
        "tossed": bool(state.tossed[park]),
        "attacker": attacker if live else None,
        "holder": holder if live else None,
        "attack": int(attack_power(state, attacker)),
        "flag": flag,
        "asks": question(state, park),
        "seats_needed": seats_needed(state, holder),
        "winner": team_or_none(winner),
        "lost_by": LOST_BY[state.lost_by[row, park]] if winner >= 0 else None,
        "sides": [side_view(state, team, team == attacker) for team in sorted((attacker, holder))],
    }


def as_it_was(state: State, row: int, winner: int) -> State:
    """A match that is over is shown with the round and the trophies that counted in it."""
    then = state.copy()
    if row < ROUNDS:
        then.round_number = row + 1
        if winner < state.seats or state.seats == 1:  # §9.5 in company the Robot keeps no trophy
            then.trophies[winner] -= 1
    return then


def question(state: State, park: int) -> Json | None:
    """Who is being asked, by which card, for how many."""
    if state.ask[park] == 0:
        return None
    kind = int(state.ask_card[park])
    return {
        "team": int(state.ask_team[park]),
        "card": CARDS[kind].id,
        "effect": EFFECTS[state.ask[park]],
        "left": int(state.ask_left[park]),
        "must": bool(MUST[kind]),
    }


def seats_needed(state: State, team: int) -> Json:
    """Whether the cards in the park would find seats if the flag were lost now."""
    seated = {int(name) for name in state.bench_name[team].tolist() if name >= 0}
    wanted = {int(NAME[kind]) for kind in state.lineup[team, : state.lineup_size[team]].tolist()}
    return {"team": team, "names": len(wanted - seated), "free": SEATS_ON_BENCH - len(seated)}


def side_view(state: State, team: int, attacking: bool) -> Json:
    """One half of a park: pile, line-up with its arithmetic, bench, exhaust pile."""
    left = int(state.pile_left[team])
    pile = state.pile[team, :left].tolist()[::-1]
    unseen = state.pile_new[team, :left].tolist()[::-1]
    size = int(state.lineup_size[team])
    return {
        "team": team,
        "pile": left,
        "known": [{"place": n + 1, "card": CARDS[kind].id} for n, kind in enumerate(pile) if kind >= 0],
        "unseen": [{"place": n + 1, "level": LEVEL_NAMES[level]} for n, level in enumerate(unseen) if level],
        "lineup": [lineup_card(state, team, n, attacking or n < size - 1) for n in range(size)],
        "cheer": int(state.cheer[team]),
        "bench": bench_view(state, team),
        "exhausted": [CARDS[kind].id for kind in state.exhausted[team, : state.exhausted_size[team]].tolist()],
    }


def lineup_card(state: State, team: int, n: int, attacking: bool) -> Json:
    """A card in the park: base, each bonus with the card that gives it, sum."""
    kind = int(state.lineup[team, n])
    bonuses: list[Json] = []
    if state.kept[team, n]:
        bonuses.append({"from": CARDS[kind].id, "amount": int(state.kept[team, n]), "why": "kept"})
    if TIMING[kind] == (WHILE_ATTACKING if attacking else FLAG_POSSESSION):
        extra = int(AMOUNT[kind] * measured(state, team, kind))
        if extra:
            why = "attacking" if attacking else "holding"
            bonuses.append({"from": CARDS[kind].id, "amount": extra, "why": why})
    if attacking and n == 0 and state.cheer[team]:
        bonuses.append({"from": CARDS[kind].id, "amount": int(state.cheer[team]), "why": "cheer"})
    for helper in range(KINDS):
        if HELPS[helper] and state.bench[team, helper] and helps(state, helper, kind, attacking):
            amount = int(AMOUNT[helper]) * int(state.bench[team, helper])
            bonuses.append({"from": CARDS[helper].id, "amount": amount, "why": "bench"})
    return {
        "card": CARDS[kind].id,
        "base": int(base_power(state, kind)),
        "bonuses": bonuses,
        "power": int(card_power(state, team, n, attacking)),
    }


def bench_view(state: State, team: int) -> list[Json | None]:
    """The six seats: a name and the cards that share it, or nothing."""
    seats: list[Json | None] = []
    for name in state.bench_name[team].tolist():
        if name < 0:
            seats.append(None)
            continue
        cards: list[str] = []
        for kind in OF_THE_NAME[name].tolist():
            if kind >= 0:
                cards += [CARDS[kind].id] * int(state.bench[team, kind])
        seats.append({"name": NAMES[name], "cards": cards})
    return seats


# One's own


def own_view(state: State, seat: int) -> Json:
    """For the viewer's own seat: deck, display, and the match to come."""
    deck = counted(state.deck[seat])
    names = {NAME[kind] for kind in range(KINDS) if state.deck[seat, kind] > 0}
    exchange = int(state.exchange[seat])
    return {
        "seat": seat,
        "deck": deck,
        "names": len(names),
        "leaving": counted(state.leaving[seat]),  # to the discards: redrawn or removed; a starting card to the box
        "wanted": None
        if state.wanted[seat] < 0
        else LEVEL_NAMES[state.wanted[seat] + A],  # sealed: others still choose
        "display": [card_id(kind) for kind in state.display[seat].tolist()],
        "marked": [place + 1 for place in range(DRAWN) if state.marked[seat] >> place & 1],
        "exchange": None if exchange < 0 else {"card": CARDS[exchange].id, "left": int(state.exchange_left[seat])},
        "next": next_match(state, seat),
    }


def next_match(state: State, seat: int) -> Json | None:
    """Whom the player meets in this round, where, and who will open."""
    if state.phase == FINAL_TRIM and seat in state.finalists.tolist():
        park, rivals = "final", [t for t in state.finalists.tolist() if t != seat]
    elif state.phase == DECK:
        row, group = state.round_number - 1, (state.teams - 1) // 2
        place = PLAN_PARK[group, state.plan[seat], row]
        park = PARK_NAMES[place]
        rivals = [t for t in range(state.teams) if t != seat and PLAN_PARK[group, state.plan[t], row] == place]
    else:
        return None
    mine, theirs = int(state.best_trophy[seat]), int(state.best_trophy[rivals[0]])
    opens = None if mine == theirs else seat if mine > theirs else rivals[0]
    return {"park": park, "rival": rivals[0], "opens": opens}


# Choices


def choice(state: State, seat: int, action: int) -> Json:
    """The facts a page needs to offer this action."""
    if action < PICK:
        return {"picks": int(PICKS[state.round_number - 1, action - CHOOSE_LEVEL])}
    if action < REDRAW_NOW:
        place = action - PICK if action < MARK else action - MARK
        kind = int(state.display[seat, place])
        if action >= MARK:
            return {"card": card_id(kind), "then": [ACTIONS.described(REDRAW_NOW)]}
        return {"card": card_id(kind), "exchange": opens_exchange(state, seat, place)}
    top = int(state.pile_left[seat]) - 1
    if NEXT <= action < TO_BOTTOM:
        park = int(state.park[seat])
        left = int(state.ask_left[park])
        placed = int(window(state, seat, int(state.ask_card[park]))) - left
        cards = [card_id(int(state.pile[seat, top - placed - place])) for place in range(left)]
        card = cards.pop(action - NEXT)
        rest: list[Json] = [
            {**ACTIONS.described(NEXT + n), "card": other, "turn": placed + 2} for n, other in enumerate(cards)
        ]
        return {"card": card, "turn": placed + 1, "then": rest if left > 2 else []}
    if TO_BOTTOM <= action < FIND:
        return {"card": card_id(int(state.pile[seat, top - (action - TO_BOTTOM)]))}
    if action >= FIND:
        where = EFFECTS[state.ask[state.park[seat]]].removeprefix("search_")
        return {"card": card_id(int(state.pile[seat, top - (action - FIND)])), "where": where}
    return {}


def opens_exchange(state: State, seat: int, place: int) -> bool:
    """Whether an exchange comes first once this card is picked (§3.11): the rules say, on a copy."""
    kind = int(state.display[seat, place])
    if TIMING[kind] != WHEN_CHOSEN or EFFECT[kind] != EXCHANGE:
        return False
    trial = state.copy()
    pick(trial, seat, place, no_log())
    return bool(trial.step[seat] == EXCHANGE_STEP)


def explain(state: State, seat: int, action: int) -> tuple[str, Json]:
    """Why this action is not legal now: a key of the words and its facts."""
    kind = ACTIONS.decode(action).kind
    if state.phase not in (DECK, FINAL_TRIM):
        return explain_answer(state, seat, action)
    step = STEPS[state.step[seat]]
    if action >= CHOOSE:
        return "no_match_now", {}
    if kind == "remove" and step in ("exchange", "trim"):
        if step == "exchange" and not may_exchange(state, seat):
            return "cannot_exchange", {"card": CARDS[state.exchange[seat]].id}
        if not may_remove_any(state, seat):
            return "last_card", {}
        if state.deck[seat, action - REMOVE] <= 0:
            return "not_in_deck", {"card": CARDS[action - REMOVE].id}
        if step == "exchange":
            return "not_for_exchange", {"card": CARDS[state.exchange[seat]].id}
    if kind == "decline" and step == "exchange":
        return "exchange_begun", {}
    if kind == "choose_level" and step == "level":
        return "level_closed", {"level": LEVEL_NAMES[action - CHOOSE_LEVEL + A], "round": state.round_number}
    if kind in ("pick", "mark") and step in ("draft", "redraw"):
        if kind == "mark" and not state.redraws[seat]:
            return "redraw_used", {}
        if kind == "mark" and left_in_deck(state, int(state.level[seat])) == 0:
            return "nothing_to_redraw", {"level": LEVEL_NAMES[state.level[seat] + A]}
        if kind == "pick" and step == "redraw":
            return "step_redraw", {}
        place = action - PICK if kind == "pick" else action - MARK
        return ("no_card_there" if state.display[seat, place] < 0 else "mark_in_order"), {}
    return f"step_{step}", {}


def explain_answer(state: State, seat: int, action: int) -> tuple[str, Json]:
    """Why this is no answer to the card that asks."""
    park = int(state.park[seat])
    asks = {"card": CARDS[state.ask_card[park]].id}
    if action < CHOOSE:
        return "match_now", asks
    if action >= NEXT or EFFECTS[state.ask[park]] not in ASKED_OF_A_BENCH:
        return "other_answer", asks
    if action == ENOUGH:
        return "must_choose", asks
    there = state.bench[bench_asked(state, park), action - CHOOSE] > 0
    return ("not_that_card" if there else "not_on_bench"), asks


# The end, the deal, the box


def reasons(state: State) -> list[Json]:
    """For each seat, what its rank comes from. Alone one is first at the table, but not always before the Robot: `place`."""
    places = np.zeros(state.seats, np.int64)
    ranks(state, places)
    out = places.tolist()
    return [
        {
            "place": 2 if state.seats == 1 and state.champion != seat else out[seat],
            "fans": int(state.fans[seat]),
            "trophies": trophies(state, seat),
            "best_trophy": int(state.best_trophy[seat]),
            "finalist": seat in state.finalists.tolist(),
            "champion": seat == state.champion,
            "how": HOW_OVER[state.over],
        }
        for seat in range(state.seats)
    ]


def shuffles(state: State) -> list[tuple[str, int]]:
    """The shuffles of the set-up, in the order in which they are made; a deck's first card is its top."""
    sizes = [("sets", EXTRA_SETS)] if state.random_set else []
    sizes += [(f"level_{LEVEL_NAMES[n + A]}", int(state.stack_size[n])) for n in range(DRAFT_LEVELS)]
    sizes += [(f"trophies_{row + 1}", PARKS) for row in range(ROUNDS)]
    sizes.append(("plans", int(state.seats)))
    if state.teams > state.seats:
        sizes.append(("robot", len(ROBOT_CARDS) + state.solo_cards * len(SOLO_CARDS)))
    return sizes


def components(state: State) -> Json:
    """Everything in the box, counted: each card is somewhere, exactly as often as it was printed."""
    cards = [0] * KINDS
    for row in (*state.deck, *state.leaving, *state.boxed):
        for kind, count in enumerate(row.tolist()):
            cards[kind] += count
    piles = [state.stack[n, : state.stack_size[n]].tolist() for n in range(DRAFT_LEVELS)]
    piles += [state.discards[n, : state.discards_size[n]].tolist() for n in range(DRAFT_LEVELS)]
    piles += [row.tolist() for row in state.display]
    for pile, news in zip(state.pile.tolist(), state.pile_new.tolist(), strict=True):
        piles.append([kind for kind, new in zip(pile, news, strict=True) if new > 0])
    for kind in [kind for pile in piles for kind in pile if kind >= 0]:
        cards[kind] += 1
    shuffled = []  # in a match, what lies open and what is in the pile is the deck
    for team in range(state.teams):
        if state.park[team] >= 0 and state.match_on[state.park[team]] == PLAYING:
            left = int(state.pile_left[team])
            whole = state.visible[team].tolist()
            for kind, new in zip(state.pile[team, :left].tolist(), state.pile_new[team, :left].tolist(), strict=True):
                whole[kind] += new == 0
            shuffled.append(whole == state.deck[team].tolist())
    return {
        "cards": [n for kind, n in enumerate(cards) if LEVEL[kind] != R],
        "robot": sum(n for kind, n in enumerate(cards) if LEVEL[kind] == R),
        "piles": all(shuffled),
        "levels": all(
            sum(n for kind, n in enumerate(state.deck[team].tolist()) if LEVEL[kind] == level)
            == state.by_level[team, level]
            for team in range(state.teams)
            for level in range(len(LEVEL_NAMES) - 1)
        ),
        "trophies": [sorted(row) for row in state.trophy.tolist()],
    }
