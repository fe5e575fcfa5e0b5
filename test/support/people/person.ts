import { eventually } from '../eventually.ts'
import { PATIENCE_MS } from '../patience.ts'
import type { CalledCommand, Channel, DroppedFile, Message, Said, Workspace } from './workspace.ts'

type More = Omit<Said, 'text' | 'mention'>
type Condition = (message: Message) => boolean

/** Somebody in a channel: their acts, and their view of Footbridge. */
export interface Person {
  readonly channel: Channel
  /** Talks among people; in a direct conversation to Footbridge. Gives the id of the message. */
  says(text: string, more?: More): Promise<string>
  /** Calls Footbridge by name. */
  asks(text: string, more?: More): Promise<string>
  drops(...files: readonly DroppedFile[]): Promise<string>
  records(recording: Uint8Array): Promise<string>
  edits(id: string, text: string): Promise<void>
  deletes(id: string): Promise<void>
  pins(id: string): Promise<void>
  /** Presses the newest button of this label; `text` is typed where it asks for one, and boxes of these values are ticked. */
  presses(label: string | RegExp, text?: string, ticked?: readonly string[]): Promise<void>
  /** Chooses from a menu of the newest panel that they see. */
  chooses(label: string): Promise<void>
  /** Calls a command, or one on a message (`target`). */
  calls(name: string, called?: CalledCommand): Promise<void>
  /** Messages of Footbridge that are here, oldest first. */
  shown(): Promise<readonly Message[]>
  /** Waits for the newest message of Footbridge that looks like this and grows no more. */
  sees(pattern: RegExp, condition?: Condition): Promise<Message>
  /** The same of an answer that has its buttons. */
  seesAnswer(pattern: RegExp, condition?: Condition): Promise<Message>
  /** How many messages of Footbridge look like this now. */
  count(pattern: RegExp): Promise<number>
  /** All messages of everybody, line by line. Waits until they are as expected, or for good. */
  transcript(expected?: Expected): Promise<readonly string[]>
}

export type Expected = readonly (string | RegExp)[]

interface PersonOptions {
  /** Carries out what they do. */
  readonly act?: <T>(doing: () => Promise<T>) => Promise<T>
  /** The same for an edit, a deletion and a mark. */
  readonly change?: (doing: () => Promise<void>) => Promise<void>
  /** The same for a message. */
  readonly speak?: <T>(doing: () => Promise<T>) => Promise<T>
}

export function createPerson(
  workspace: Workspace,
  name: string,
  channel: Channel,
  { act = (doing) => doing(), change = act, speak = act }: PersonOptions = {},
): Person {
  const say = (said: Said) => speak(() => workspace.say(name, channel, said))
  const shown = async () => (await workspace.messages(channel)).filter(({ ours }) => ours)
  const lines = async () => (await workspace.messages(channel)).map(({ line }) => line)
  const sees: Person['sees'] = (pattern, condition = () => true) =>
    eventually(
      async () =>
        (await shown()).findLast(
          (message) => pattern.test(message.text) && !message.text.includes('▌') && condition(message),
        ),
      {
        instead: async () => `not ${String(pattern)}, but\n\n${(await lines()).join('\n\n')}`,
        timeoutMs: 2 * PATIENCE_MS,
        everyMs: 40,
      },
    )
  return {
    channel,
    says: (text, more = {}) => say({ text, ...more }),
    asks: (text, more = {}) => say({ text, mention: true, ...more }),
    drops: (...files) => say({ files }),
    records: (recording) => say({ recording }),
    edits: (id, text) => change(() => workspace.edit(channel, id, text)),
    deletes: (id) => change(() => workspace.remove(channel, id)),
    pins: (id) => change(() => workspace.pin(name, channel, id)),
    presses: (label, text, ticked) => act(() => workspace.press(name, channel, label, text, ticked)),
    async chooses(label) {
      if (workspace.choose === undefined) throw new Error('This service has no menus.')
      await act(async () => workspace.choose?.(name, channel, label))
    },
    async calls(command, called) {
      if (workspace.command === undefined) throw new Error('This service has no commands.')
      await act(async () => workspace.command?.(name, channel, command, called))
    },
    shown,
    sees,
    seesAnswer: (pattern, condition = () => true) =>
      sees(pattern, (message) => message.buttons.includes('👍') && condition(message)),
    count: async (pattern) => (await shown()).filter(({ text }) => pattern.test(text)).length,
    async transcript(expected) {
      if (expected === undefined) return lines()
      const asExpected = async () => {
        const seen = await lines()
        return isAsExpected(seen, expected) && seen
      }
      return eventually(asExpected).catch(lines)
    },
  }
}

export const isAsExpected = (seen: readonly string[], expected: Expected): boolean =>
  seen.length === expected.length &&
  expected.every((one, index) => {
    const line = seen[index] ?? ''
    return typeof one === 'string' ? one === line : one.test(line)
  })
