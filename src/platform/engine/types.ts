/** The log of the engine. */
export interface EngineLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Milliseconds since the epoch; an argument so that tests own time. */
export type EngineClock = () => number
