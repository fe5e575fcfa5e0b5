import { hash } from 'node:crypto'

/** Deterministic id of `length` characters (`[A-Za-z0-9_-]`) from these parts. */
export const stableId = (length: number, ...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, length)
