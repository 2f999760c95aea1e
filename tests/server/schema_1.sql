-- The tables as the first version of the store made them.
CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    secret BLOB NOT NULL UNIQUE,       -- SHA-256 of the cookie
    name TEXT NOT NULL,
    created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    version TEXT NOT NULL,             -- of the rules
    options TEXT NOT NULL,             -- JSON
    public INTEGER NOT NULL,
    name TEXT NOT NULL,
    host TEXT,                         -- a guest
    phase TEXT NOT NULL,               -- open, playing, over
    invite TEXT NOT NULL,
    commitment TEXT NOT NULL,
    created REAL NOT NULL,
    moved REAL NOT NULL,
    seq INTEGER NOT NULL,              -- of the last decision, or 0
    waiting INTEGER NOT NULL,          -- bits: the seats that owe a decision
    rematch TEXT                       -- the next table of the same people
) WITHOUT ROWID;
CREATE INDEX tables_by_phase ON tables (phase, public, created);
CREATE TABLE chairs (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    guest TEXT,                        -- a person's chair
    bot TEXT NOT NULL,                 -- a bot's name
    level TEXT,                        -- a bot plays: on its own chair, or for the guest who left
    entropy TEXT NOT NULL,             -- the guest's share of the shuffle
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX chairs_by_guest ON chairs (guest);
CREATE TABLE decisions (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    action INTEGER NOT NULL,
    command TEXT,                      -- the command's own name; bots have none
    at REAL NOT NULL,
    PRIMARY KEY (table_id, seq),
    UNIQUE (table_id, command)
) WITHOUT ROWID;
CREATE TABLE chat (
    n INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    seat INTEGER,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL
);
CREATE INDEX chat_by_table ON chat (table_id, n);
CREATE TABLE seeds (                   -- apart from everything else: whoever reads this table sees the future
    table_id TEXT PRIMARY KEY,
    server_seed BLOB NOT NULL,
    seed INTEGER                       -- drawn at the start
) WITHOUT ROWID;
