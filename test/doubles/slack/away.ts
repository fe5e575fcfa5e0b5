/**
 * How Slack is away. `refused`: nobody listens; `error`: each method answers 500; `limited`: 429; `hanging`: no method is
 * answered; `page`: a proxy answers with its page; `no-address`: `apps.connections.open` alone answers 500; `dns`: the
 * address that it gives has no host; `unavailable`: 503 on the upgrade; `closing`: a connection is closed after its hello;
 * `no-hello`: it opens and stays silent; `silent`: nothing is heard or said over any connection, old or new.
 */
export const AWAYS = [
  'refused',
  'error',
  'limited',
  'hanging',
  'page',
  'no-address',
  'dns',
  'unavailable',
  'closing',
  'no-hello',
  'silent',
] as const

export type Away = (typeof AWAYS)[number]

export interface AwayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answer of a method while Slack is away; undefined: the usual one; null: no answer. */
export function awayAnswer(away: Away | undefined, method: string): AwayAnswer | null | undefined {
  if (away === 'hanging') return null
  if (away === 'error' || (away === 'no-address' && method === 'apps.connections.open'))
    return { status: 500, headers: {}, body: 'Internal Server Error' }
  if (away === 'limited') return { status: 429, headers: { 'retry-after': '1' }, body: '' }
  if (away === 'page')
    return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Maintenance</html>' }
  return undefined
}
