import type { Reader, ReadSigned } from '#bridge/port/person-access.ts'
import { createBodyPool } from '#lib/read-limited.ts'
import { bodyOf } from '#lib/request-body.ts'
import { type Fields, parseFields, text, toFields } from '#adapters/shared/json.ts'
import { isSigned, mayBeSigned } from './signature.ts'

const MAX_BODY_BYTES = 262_144
const BODIES = { bodies: 16, bytes: 4 * MAX_BODY_BYTES, timeoutMs: 10_000 } as const

/**
 * Requests of Slackbot by "Slack identity auth": Slack signs each like an event, and a call of a tool names the person in
 * `params._meta.slack` (https://docs.slack.dev/ai/slackbot-mcp-client).
 */
export function createSlackbot(signingSecret: string, clock: () => number = Date.now): ReadSigned {
  const bodies = createBodyPool(BODIES)
  return async (request) => {
    const { url, method, headers, signal } = request
    if (!mayBeSigned(headers, clock())) return undefined
    const sent = bodyOf(request)
    const bytes = sent === null ? Buffer.alloc(0) : await bodies.read(sent, MAX_BODY_BYTES).catch(() => undefined)
    const body = bytes?.toString('utf8')
    if (body === undefined || !isSigned(signingSecret, headers, body)) return undefined
    const person = personOf(parseFields(body))
    // A client may ask for a stream by GET, which has no body.
    const read = method === 'POST' ? new Request(url, { method, headers, body, signal }) : request
    return { name: 'Slackbot', person, request: read }
  }
}

/** Undefined: none is named, as in a request for the list of tools, or only an organization. */
function personOf(message: Fields): Reader | undefined {
  const { params } = message
  const slack = toFields(toFields(toFields(params)['_meta'])['slack'])
  const [workspace, personId] = [text(slack, 'team_id'), text(slack, 'user_id')]
  if (workspace === undefined || personId === undefined) return undefined
  return { adapter: 'slack', workspace, personId, organization: text(slack, 'enterprise_id') }
}
