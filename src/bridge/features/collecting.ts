import type { Command, Doing, JobPorts } from '../delivery/job-context.ts'
import { say } from '../delivery/reply.ts'

/** Dropped files become the channel's knowledge, or are left alone. */
export const filesOn: Command = {
  name: 'files-on',
  pattern: /^files on$/i,
  run: (ports, doing) => setCollecting(ports, doing, true),
}

export const filesOff: Command = {
  name: 'files-off',
  pattern: /^files off$/i,
  run: (ports, doing) => setCollecting(ports, doing, false),
}

export async function setCollecting(ports: JobPorts, doing: Doing, collecting: boolean): Promise<void> {
  await ports.channels.change(doing.conversation, { collecting })
  await say(doing, collecting ? doing.texts.collectingOn : doing.texts.collectingOff)
}
