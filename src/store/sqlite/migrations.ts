import { CURSORS_BY_WORKSPACE } from '../tables/channels.ts'

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
  `
  ALTER TABLE channel ADD COLUMN collection_created_at TEXT;
  ALTER TABLE channel ADD COLUMN linked_to TEXT;
  CREATE INDEX channel_linked ON channel (linked_to) WHERE linked_to IS NOT NULL;

  CREATE TABLE answer (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    outcome TEXT NOT NULL,
    closed INTEGER NOT NULL,
    answer TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX answer_gap ON answer (channel, seq) WHERE outcome = 'nothing' AND closed = 0;
  CREATE INDEX answer_at ON answer (at);

  CREATE TABLE answer_message (
    channel TEXT NOT NULL,
    message_id TEXT NOT NULL,
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    PRIMARY KEY (channel, message_id, answer_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX answer_message_answer ON answer_message (answer_id);

  CREATE TABLE vote (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    author TEXT NOT NULL,
    vote TEXT NOT NULL CHECK (vote IN ('up', 'down')),
    reason TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (answer_id, author)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE offer (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX offer_at ON offer (at);

  CREATE TABLE choice (
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE spending (
    subject TEXT NOT NULL,
    kind TEXT NOT NULL,
    job_id TEXT NOT NULL,
    amount REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (subject, kind, job_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX spending_at ON spending (at);
  `,
  `
  CREATE INDEX ledger_attachment ON ledger (json_extract(entry, '$.attachmentId'));
  `,
  `
  CREATE INDEX answer_question ON answer (channel, json_extract(answer, '$.questionMessage'));
  `,
  `
  ALTER TABLE job ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE INDEX job_dead ON job (seq) WHERE state = 'dead';
  `,
  `
  CREATE TABLE state (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) STRICT, WITHOUT ROWID;
  `,
  CURSORS_BY_WORKSPACE,
  `
  CREATE INDEX job_queued ON job (seq) WHERE state = 'queued';
  `,
  `
  CREATE TABLE leaving (at INTEGER NOT NULL) STRICT;
  `,
]
