import type { JobContext } from './job-context.ts'
import type { SentFile } from '../port/adapter.ts'
import type { Content } from './outbox-sender.ts'

/**
 * Gives a file in answer to a command or a button, once: where it is out already from before a restart, `make` is not even
 * called. Only where the adapter has `upload`.
 */
export async function handOut(
  { adapter, conversation, sender }: Pick<JobContext, 'adapter' | 'conversation' | 'sender'>,
  content: Pick<Content, 'text' | 'privateTo'>,
  make: () => Promise<SentFile>,
): Promise<void> {
  const upload = adapter.upload?.bind(adapter)
  if (upload === undefined) throw new Error(`${adapter.name} takes no files.`)
  await sender.locate('command')
  if ((await sender.rows()).some(({ slot }) => slot === 'command')) return
  const file = await make()
  await sender.open('command', { kind: 'notice', ...content }, async (outgoing) => ({
    ref: await upload(conversation, file, outgoing),
  }))
  await sender.close('command', content.text)
}
