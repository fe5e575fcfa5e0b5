// One set of tables for all indexes, each row with the number of its index: every question names one index, and the
// B-trees start with that number, so it reads as little as if the tables were its own. Partitions would cost planning
// with each question and save nothing but the deletion of a whole collection.

/**
 * A file in the index is a segment: a number of its own for every time that it is put, so that no chunk is ever known by
 * the number of another. A chunk's number is its segment's and its position in the file.
 */
export const SEGMENT_SIZE = 2 ** 20

export const segmentOf = (chunkId: number) => Math.floor(chunkId / SEGMENT_SIZE)

/** Name of what stands beside a table for one index alone. */
export const ownIndex = (table: string, index: number) => `${table}_${index}`

/** Lists of up to 8 kB stay in their row: a second table for long values would be read for each common word. */
export const INDEX_STEPS: readonly string[] = [
  `CREATE TABLE fb_index (
     id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     version BIGINT NOT NULL DEFAULT 0,
     model TEXT NOT NULL DEFAULT '',
     made_at TIMESTAMPTZ NOT NULL DEFAULT now()
   );
   CREATE SEQUENCE fb_index_segment;
   CREATE TABLE fb_index_file (
     index_id INTEGER NOT NULL,
     file_id BIGINT NOT NULL,
     revision BIGINT NOT NULL,
     segment BIGINT NOT NULL DEFAULT 0,
     name TEXT NOT NULL DEFAULT '',
     language TEXT NOT NULL DEFAULT 'und',
     chunks INTEGER NOT NULL DEFAULT 0,
     terms BIGINT NOT NULL DEFAULT 0,
     vector_stamp BIGINT NOT NULL DEFAULT 0,
     has_words BOOLEAN NOT NULL DEFAULT false,
     PRIMARY KEY (index_id, file_id)
   );
   CREATE TABLE fb_index_chunk (
     index_id INTEGER NOT NULL,
     id BIGINT NOT NULL,
     file_id BIGINT NOT NULL,
     body TEXT NOT NULL,
     lead TEXT NOT NULL,
     headings TEXT NOT NULL,
     page INTEGER,
     line_from INTEGER NOT NULL,
     line_to INTEGER NOT NULL,
     PRIMARY KEY (index_id, id)
   );
   CREATE TABLE fb_index_posting (
     segment BIGINT NOT NULL,
     index_id INTEGER NOT NULL,
     chunks INTEGER NOT NULL,
     term TEXT COLLATE "C" NOT NULL,
     list BYTEA NOT NULL
   ) WITH (toast_tuple_target = 8160);
   ALTER TABLE fb_index_posting ALTER COLUMN list SET STORAGE MAIN;
   CREATE INDEX fb_index_posting_term ON fb_index_posting (index_id, term);
   CREATE INDEX fb_index_posting_segment ON fb_index_posting (segment);
   CREATE TABLE fb_index_vector (
     index_id INTEGER NOT NULL,
     chunk_id BIGINT NOT NULL,
     file_id BIGINT NOT NULL,
     data BYTEA NOT NULL,
     PRIMARY KEY (index_id, chunk_id)
   );
   ALTER TABLE fb_index_vector ALTER COLUMN data SET STORAGE EXTERNAL;`,
]
