import { createHmac, timingSafeEqual } from 'node:crypto'

/** https://docs.slack.dev/authentication/verifying-requests-from-slack: five minutes. */
const MAX_AGE_MS = 300_000
const FORM = /^v0=[0-9a-f]{64}$/

const stampOf = (headers: Headers) => headers.get('x-slack-request-timestamp') ?? ''
const signatureOf = (headers: Headers) => headers.get('x-slack-signature') ?? ''

/** Whether headers look like those of Slack, and are no older than five minutes: their body is worth reading. */
export function mayBeSigned(headers: Headers, now: number): boolean {
  const stamp = stampOf(headers)
  const isFresh = /^\d{1,12}$/.test(stamp) && Math.abs(now - Number(stamp) * 1000) <= MAX_AGE_MS
  return isFresh && FORM.test(signatureOf(headers))
}

/** Whether Slack signed this body. */
export function isSigned(secret: string, headers: Headers, body: string): boolean {
  const hash = createHmac('sha256', secret)
    .update(`v0:${stampOf(headers)}:${body}`)
    .digest('hex')
  const expected = Buffer.from(`v0=${hash}`)
  const given = Buffer.from(signatureOf(headers))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
