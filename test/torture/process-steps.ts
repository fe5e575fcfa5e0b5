import type { SlackDouble } from '../doubles/slack/double.ts'
import type { Call, Fault } from '../doubles/slack/types.ts'

/** Where in its work a process is killed or frozen: the call of Slack that is held, or the visible words. */
export interface Step {
  readonly name: string
  /** A file is dropped instead of a question asked. */
  readonly drops?: true
  /** The fault of the next call of this method. */
  readonly holds?: readonly [method: string, fault: Fault]
  /** The call that shows how far the work is; without it, the job is running. */
  readonly call?: string
  /** The index pass runs. */
  readonly passes?: true
}

const DONE: Fault = { hang: true, perform: true }
const NOT_DONE: Fault = { hang: true }
const held = (method: string, fault: Fault) => ({ holds: [method, fault] as const, call: method })

export const STEPS: readonly Step[] = [
  { name: 'job claimed' },
  { name: 'stream begun, reply lost', ...held('chat.startStream', DONE) },
  { name: 'text added', call: 'chat.appendStream' },
  { name: 'stream not begun, request lost', ...held('chat.startStream', NOT_DONE) },
  { name: 'end shown, reply lost', ...held('chat.stopStream', DONE) },
  { name: 'file: index pass runs', drops: true, passes: true },
  { name: 'end not shown, request lost', ...held('chat.stopStream', NOT_DONE) },
  { name: 'file: receipt posted, reply lost', drops: true, ...held('chat.postMessage', DONE) },
  { name: 'file: receipt not posted, request lost', drops: true, ...held('chat.postMessage', NOT_DONE) },
  { name: 'file: last receipt shown, reply lost', drops: true, ...held('chat.update', DONE) },
]

export const hold = (slack: SlackDouble, { holds }: Step): void => holds && slack.script(...holds)

export const unhold = (slack: SlackDouble, { holds }: Step): void => holds && slack.unscript(holds[0])

/** The first such call since then that was made for one of these channels. */
export const callSince = (slack: SlackDouble, since: number, method: string, channels: readonly string[]) =>
  slack.calls
    .slice(since)
    .find((call: Call) => call.method === method && channels.includes(String(call.args['channel'])))
