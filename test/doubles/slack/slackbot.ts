import { createHmac } from 'node:crypto'

export interface SlackIdentity {
  readonly user_id: string
  /** Null: Slack knows the organization only. */
  readonly team_id: string | null
  readonly enterprise_id?: string
}

export interface SlackbotCall {
  readonly method: string
  readonly params?: object
  /** Absent: Slackbot asks for nobody, as it does for the list of tools. */
  readonly slack?: SlackIdentity
}

/** Headers by which Slack signs a body. */
export function signatureOf(secret: string, body: string, stamp = Math.floor(Date.now() / 1000)) {
  const hash = createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': String(stamp), 'x-slack-signature': `v0=${hash}` }
}

/** The body of a request of Slackbot. */
export const bodyOf = ({ method, params = {}, slack }: SlackbotCall): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...(slack && { _meta: { slack } }) } })

/** A request of Slackbot with "Slack identity auth", as the examples of Slack send it. */
export function slackbotRequest(secret: string, url: string, call: SlackbotCall): Request {
  const body = bodyOf(call)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return new Request(url, { method: 'POST', headers: { ...headers, ...signatureOf(secret, body) }, body })
}
