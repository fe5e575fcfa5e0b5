import type { SlackOptions } from '../config.ts'
import type { Log } from '#bridge/port/platform.ts'
import { BodyError, type BodyFault, createBodyPool } from '#lib/read-limited.ts'
import { bodyOf } from '#lib/request-body.ts'
import { type Fields, parseFields, text } from '#adapters/shared/json.ts'
import { type BoltEvents, logUnstored } from './bolt-events.ts'
import { isSigned, mayBeSigned } from './signature.ts'

/**
 * Events over HTTP: Slack delivers each to `/slack/events`, signed, and again until it is answered with 200. A request that
 * somebody recorded and sends again has the key of the first one, which the inbox takes once, in all processes and also after a restart.
 */
export interface HttpEvents {
  fetch(request: Request): Promise<Response>
}

const MAX_BODY_BYTES = 1_000_000
/** Anybody can send headers that look signed: who sent a body is known only when all of it is there. */
const BODIES = { bodies: 16, bytes: 4 * MAX_BODY_BYTES, timeoutMs: 10_000 } as const

/** Refusals are alike: a forger learns nothing. */
const refuse = () => new Response('This request is not from Slack, or too old.', { status: 401 })

const tooLarge = () => new Response('The body is too large.', { status: 413 })
const late = () => new Response('The body did not arrive in time.', { status: 408 })
const FAULTS: Readonly<Record<BodyFault, () => Response>> = {
  'too-large': tooLarge,
  late,
  'cut-off': late,
  // Slack sends an event again.
  crowded: () => new Response('Too many requests arrive at the moment.', { status: 503 }),
}

function toFault(error: unknown): BodyFault {
  if (error instanceof BodyError) return error.fault
  throw error
}

/** Events are JSON, commands a form, interactions a form with JSON in `payload`. */
function parseBody(body: string, contentType: string): Fields {
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return parseFields(body)
  const form = Object.fromEntries(new URLSearchParams(body))
  return form['payload'] === undefined ? form : parseFields(form['payload'])
}

/** @param events undefined: not started yet */
export function createHttpEvents(
  {
    signingSecret,
    log,
    clock = Date.now,
  }: Pick<SlackOptions, 'signingSecret' | 'log'> & { readonly clock?: () => number },
  events: () => Pick<BoltEvents, 'take'> | undefined,
): HttpEvents {
  const bodies = createBodyPool(BODIES)
  return {
    async fetch(request) {
      if (signingSecret === undefined) return new Response('Events come by Socket Mode.', { status: 404 })
      if (request.method !== 'POST') return new Response('Slack posts its events here.', { status: 405 })
      if (!mayBeSigned(request.headers, clock())) return refuse()
      if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return tooLarge()
      const sent = bodyOf(request)
      const bytes = sent === null ? Buffer.alloc(0) : await bodies.read(sent, MAX_BODY_BYTES).catch(toFault)
      if (typeof bytes === 'string') return FAULTS[bytes]()
      const body = bytes.toString('utf8')
      if (!isSigned(signingSecret, request.headers, body)) return refuse()
      const event = parseBody(body, request.headers.get('content-type') ?? '')
      if (text(event, 'ssl_check') !== undefined) return new Response()
      if (text(event, 'type') === 'url_verification')
        return Response.json({ challenge: text(event, 'challenge') ?? '' })
      const taker = events()
      return taker === undefined ? new Response('Footbridge is starting.', { status: 503 }) : deliver(taker, event, log)
    },
  }
}

async function deliver({ take }: Pick<BoltEvents, 'take'>, body: Fields, log: Log): Promise<Response> {
  try {
    await take({ body: { ...body }, ack: async () => {} })
    return new Response()
  } catch (error) {
    logUnstored(log, error)
    return new Response('The event was not stored.', { status: 503 })
  }
}
