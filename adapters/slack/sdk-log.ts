import { LogLevel } from '@slack/bolt'
import type { Logger } from '@slack/bolt'
import type { Log } from '../../src/bridge/port/platform.ts'

export type SdkLogger = Logger

const secrets = /\b(?:xox[a-z]|xapp)-[\w-]+|ticket=[^\s&"']+/g

const line = (parts: readonly unknown[]) =>
  parts
    .map((part) => (part instanceof Error ? part.message : typeof part === 'string' ? part : ''))
    .join(' ')
    .replaceAll(secrets, '[redacted]')
    .trim()

/** What the SDK says, one step quieter, without credentials. Its `debug` would carry what people wrote: it is dropped. */
export function createSdkLogger(log: Log): SdkLogger {
  return {
    debug: () => {},
    info: (...parts: unknown[]) => log.debug({}, line(parts)),
    warn: (...parts: unknown[]) => log.info({}, line(parts)),
    error: (...parts: unknown[]) => log.warn({}, line(parts)),
    setLevel: () => {},
    // The SDK composes its debug lines only at this level.
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  }
}
