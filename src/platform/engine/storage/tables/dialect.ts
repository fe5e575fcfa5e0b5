export type Value = string | number | null

// oxlint-disable typescript/no-unnecessary-type-parameters -- a row's type stands where its SELECT stands

/** Statements with `?1`, `?2` … for their values. */
export interface CatalogStatements {
  all<Row>(text: string, ...values: readonly Value[]): Promise<readonly Row[]>
  get<Row>(text: string, ...values: readonly Value[]): Promise<Row | undefined>
  /** Number of rows changed. */
  run(text: string, ...values: readonly Value[]): Promise<number>
}

/** The difference between the databases. */
export interface Dialect {
  readonly sql: CatalogStatements
  /** Beginning of the name of each table. */
  readonly prefix: '' | 'fb_'
  /** Columns `isFirst` and `holder` of a key. */
  readonly firstColumns: string
  /** Function that makes a JSON list of rows. */
  readonly jsonList: string
  /** Compares texts by their bytes. */
  readonly byBytes: string
}
