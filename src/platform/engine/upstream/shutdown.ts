/** A model whose server says when it will be shut down (OpenAI: `YYYY-MM-DD`). */
interface Listed {
  readonly id: string
  readonly shutdown_date?: string | null | undefined
}

const NOTICE_MS = 60 * 24 * 3_600_000

/** Models that will be shut down within 60 days, or were: soonest first, with the day. */
export const endingModels = <Model extends Listed>(
  models: readonly Model[],
  now: number,
): readonly { readonly id: string; readonly day: string }[] =>
  models
    .flatMap(({ id, shutdown_date: day }) => {
      const at = Date.parse(day ?? '')
      return day && at - now < NOTICE_MS ? [{ id, day }] : []
    })
    .toSorted((one, other) => Date.parse(one.day) - Date.parse(other.day))

const MAX_NAMED = 8

/** `gpt-5 on 2026-12-11, gpt-4o on 2027-01-14`. */
export function namedEndings(ending: readonly { readonly id: string; readonly day: string }[]): string {
  const named = ending.slice(0, MAX_NAMED).map(({ id, day }) => `${id} on ${day}`)
  return [...named, ...(ending.length > MAX_NAMED ? [`and ${ending.length - MAX_NAMED} more`] : [])].join(', ')
}
