import { createHash } from 'node:crypto'

/** The same parts give the same id of `length` characters (`[A-Za-z0-9_-]`), also after a restart. */
export const stableId = (length: number, ...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, length)
