import type { Doing } from './job-context.ts'
import type { Content } from './outbox-sender.ts'

/** Says one thing in answer to a command or a button; said again after a restart, it is the same message. */
export async function say(
  { sender }: Pick<Doing, 'sender'>,
  text: string,
  more: Partial<Omit<Content, 'text'>> = {},
): Promise<void> {
  await sender.show('command', { kind: 'notice', text, ...more })
  await sender.close('command', text)
}
