import { expect, test, vi } from 'vitest'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { ConversationRef, Inbound, Message, Outgoing } from '#bridge/port/message.ts'
import { PATIENCE } from '#test/support/patience.ts'
import type { AdapterHarness, FaultKind, Sent } from './harness.ts'

/** The adapter under test: each test's own harness, a receiver in place of the bridge, and the way to both. */
export interface Subject {
  /** Whether the adapter, or its harness, has this optional member. */
  has(member: keyof Adapter | keyof AdapterHarness): boolean
  readonly faults: readonly FaultKind[]
  readonly harness: AdapterHarness
  readonly receiver: Receiver
  open(this: void): Promise<void>
  close(this: void): Promise<void>
  /** A conversation under way. */
  talk(): Promise<{ readonly sent: Sent; readonly conversation: ConversationRef }>
  /** Its visible texts, message by message, white space evened. */
  texts(conversation: ConversationRef): Promise<readonly string[]>
  /** Shows it and gives the faults it met: none when it went through. */
  attempt(conversation: ConversationRef, outgoing: Outgoing): Promise<readonly AdapterError[]>
  /** The error of a call that must fail. */
  failure(call: Promise<unknown> | undefined): Promise<AdapterError>
}

export type Receiver = ReturnType<typeof createReceiver>

export const WORDS = Array.from({ length: 120 }, (_, index) => `word${index}`).join(' ')

let serial = 0
export const send = (text: string, more: Partial<Outgoing> = {}): Outgoing => ({
  sendId: `contract-${++serial}`,
  kind: 'answer',
  text,
  ...more,
})

export const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/** `test` when the capability is there, else nothing: an adapter has no tests for functions that its service lacks. */
export const when = (capability: boolean): ((name: string, run: () => Promise<void>) => void) =>
  capability ? test : () => undefined

export function expectPlainData(value: unknown): void {
  // A member that is undefined is gone after the store; anything but plain objects and arrays would come back as something else.
  expect(JSON.parse(JSON.stringify(value))).toEqual(value)
  expect(classesIn(value)).toEqual([])
}

/** A bridge that takes down what it is told, and can be slow or fail. */
function createReceiver() {
  const inbounds: Inbound[] = []
  let gate: Promise<void> | undefined
  return {
    inbounds: inbounds as readonly Inbound[],
    receive: async (inbound: Inbound) => {
      inbounds.push(inbound)
      await gate
    },
    gate: (promise: Promise<void> | undefined) => {
      gate = promise
      promise?.catch(() => undefined)
    },
    of: ({ id }: Sent) => inbounds.filter((each) => each.kind === 'message' && each.message.id === id),
    next: <K extends Inbound['kind']>(kind: K): Promise<Extract<Inbound, { kind: K }>> =>
      vi.waitFor(() => {
        const found = inbounds.find((each): each is Extract<Inbound, { kind: K }> => each.kind === kind)
        if (found === undefined) throw new Error(`No ${kind} has arrived; ${inbounds.length} others have.`)
        return found
      }, PATIENCE),
    /** The message in its full account. */
    message: ({ id }: Sent): Promise<Message> =>
      vi.waitFor(() => {
        for (const each of inbounds) {
          if (each.kind === 'message' && each.message.id === id && each.provisional !== true) return each.message
        }
        throw new Error(`Message ${id} has not arrived; ${inbounds.length} events have.`)
      }, PATIENCE),
  }
}

/** Waits until the service has been told. */
export async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, PATIENCE)
}

function checkedError(error: unknown, secrets: readonly string[]): AdapterError {
  expect(error).toBeInstanceOf(AdapterError)
  if (!(error instanceof AdapterError)) throw new TypeError('Not an AdapterError.', { cause: error })
  expect(error.message).toMatch(/\S+ \S+/)
  for (const secret of secrets) expect(`${error.message}\n${error.stack}`).not.toContain(secret)
  return error
}

export function createSubject(probe: AdapterHarness, makeHarness: () => Promise<AdapterHarness>): Subject {
  let harness = probe
  let receiver = createReceiver()
  return {
    has: (member) => [probe, probe.adapter].some((each) => Reflect.get(each, member) !== undefined),
    faults: probe.faults,
    get harness() {
      return harness
    },
    get receiver() {
      return receiver
    },
    async open() {
      harness = await makeHarness()
      receiver = createReceiver()
      await harness.adapter.start(receiver.receive)
    },
    async close() {
      receiver.gate(undefined)
      await harness.adapter.stop()
      await harness.close()
    },
    async talk() {
      const sent = await harness.mention('how long is the ferry?')
      const { conversation } = await receiver.message(sent)
      return { sent, conversation }
    },
    texts: async (conversation) => (await harness.visible(conversation)).map((each) => plain(each.text)),
    async attempt(conversation, outgoing) {
      const [outcome] = await Promise.allSettled([harness.adapter.post(conversation, outgoing)])
      return outcome.status === 'fulfilled' ? [] : [checkedError(outcome.reason, harness.secrets)]
    },
    async failure(call) {
      const [outcome] = await Promise.allSettled([call])
      if (outcome.status === 'fulfilled') throw new Error('The call went through; it must fail.')
      return checkedError(outcome.reason, harness.secrets)
    },
  }
}

function classesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? ['Function'] : []
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return [...(isPlain ? [] : [value.constructor.name]), ...Object.values(value).flatMap(classesIn)]
}
