/** Each entry raises `user_version` by one. Never edit one that was released; append. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE job (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    message TEXT,
    lane TEXT NOT NULL,
    inbound TEXT NOT NULL,
    provisional INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'dead')),
    attempt INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX job_open ON job (lane, seq) WHERE state IN ('queued', 'running');
  CREATE INDEX job_message ON job (message) WHERE message IS NOT NULL;

  CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY,
    send_id TEXT NOT NULL UNIQUE,
    job_id TEXT NOT NULL,
    slot TEXT NOT NULL,
    channel TEXT NOT NULL,
    conversation TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sending', 'sent', 'closed')),
    message_id TEXT,
    ref TEXT,
    text TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (job_id, slot)
  ) STRICT;
  CREATE INDEX outbox_message ON outbox (channel, message_id);

  CREATE TABLE channel (
    key TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    collection TEXT NOT NULL UNIQUE,
    collection_id TEXT,
    collecting INTEGER NOT NULL,
    explained INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE ledger (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    job_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    collection TEXT NOT NULL,
    state TEXT NOT NULL,
    entry TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX ledger_job ON ledger (job_id);
  CREATE INDEX ledger_collection ON ledger (collection, seq);

  CREATE TABLE turn (
    seq INTEGER PRIMARY KEY,
    lane TEXT NOT NULL,
    channel TEXT NOT NULL,
    message_id TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (channel, message_id, role)
  ) STRICT;
  CREATE INDEX turn_lane ON turn (lane, seq);

  CREATE TABLE cursor (
    adapter TEXT NOT NULL,
    channel TEXT NOT NULL,
    position TEXT NOT NULL,
    PRIMARY KEY (adapter, channel)
  ) STRICT, WITHOUT ROWID;
  `,
]
