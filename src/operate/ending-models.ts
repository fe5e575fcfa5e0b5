/** A model as a server lists it, with the day of its shutdown where the server says one (OpenAI: `YYYY-MM-DD`). */
interface Listed {
  readonly id: string
  readonly shutdownDate?: string | undefined
}

export interface Ending {
  readonly id: string
  readonly day: string
}

const NOTICE_MS = 60 * 24 * 3_600_000

/** Models that their server shuts down within 60 days, or has shut down: soonest first. */
export const endingModels = (models: readonly Listed[], now: number): readonly Ending[] =>
  models
    .flatMap(({ id, shutdownDate = '' }) => {
      const day = /^\d{4}-\d\d-\d\d/.exec(shutdownDate)?.[0]
      return day !== undefined && Date.parse(day) - now < NOTICE_MS ? [{ id, day }] : []
    })
    .toSorted((one, other) => one.day.localeCompare(other.day))

const MAX_NAMED = 8

/** `gpt-5 on 2026-12-11, gpt-4o on 2027-01-14`. */
export function nameEndings(endings: readonly Ending[]): string {
  const named = endings.slice(0, MAX_NAMED).map(({ id, day }) => `${id} on ${day}`)
  return [...named, ...(endings.length > MAX_NAMED ? [`and ${endings.length - MAX_NAMED} more`] : [])].join(', ')
}
