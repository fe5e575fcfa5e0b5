import { createHash } from 'node:crypto'

/** Deterministic id of `length` characters (`[A-Za-z0-9_-]`) from these parts. */
export const stableId = (length: number, ...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, length)
