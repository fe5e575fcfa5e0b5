/** Each entry raises `user_version` by one. Never edit one that was released; append. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE job (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    message TEXT,
    queue TEXT NOT NULL,
    inbound TEXT NOT NULL,
    provisional INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'dead')),
    attempt INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX job_open ON job (queue, seq) WHERE state IN ('queued', 'running');
  CREATE INDEX job_queued ON job (seq) WHERE state = 'queued';
  CREATE INDEX job_dead ON job (seq) WHERE state = 'dead';
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
    explained INTEGER NOT NULL,
    collection_created_at TEXT,
    linked_to TEXT
  ) STRICT;
  CREATE INDEX channel_linked ON channel (linked_to) WHERE linked_to IS NOT NULL;

  CREATE TABLE file_record (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    job_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    collection TEXT NOT NULL,
    state TEXT NOT NULL,
    entry TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX file_record_job ON file_record (job_id);
  CREATE INDEX file_record_collection ON file_record (collection, seq);
  CREATE INDEX file_record_attachment ON file_record (json_extract(entry, '$.attachmentId'));

  CREATE TABLE history (
    seq INTEGER PRIMARY KEY,
    queue TEXT NOT NULL,
    channel TEXT NOT NULL,
    message_id TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (channel, message_id, role)
  ) STRICT;
  CREATE INDEX history_queue ON history (queue, seq);

  CREATE TABLE cursor (
    adapter TEXT NOT NULL,
    channel TEXT NOT NULL,
    position TEXT NOT NULL,
    PRIMARY KEY (adapter, channel)
  ) STRICT, WITHOUT ROWID;

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
  CREATE INDEX answer_question ON answer (channel, json_extract(answer, '$.questionMessage'));

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

  CREATE TABLE button_payload (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX button_payload_at ON button_payload (at);

  CREATE TABLE preference (
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE usage (
    subject TEXT NOT NULL,
    kind TEXT NOT NULL,
    job_id TEXT NOT NULL,
    amount REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (subject, kind, job_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_at ON usage (at);

  CREATE TABLE state (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE leaving (at INTEGER NOT NULL) STRICT;
  `,
]
