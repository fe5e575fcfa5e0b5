import { createPaced } from '../../lib/paced.ts'
import type { ButtonDoing, JobPorts } from './job-context.ts'
import { sayInPlace } from './replace-message.ts'

/** Slow enough for any service. */
const LEAST_MS = 2000

export interface ProgressMessage {
  update(text: string): void
  finish(): Promise<void>
}

/** Progress in the place of the message with the button. Where nothing can be edited there is none: the caller says the end alone. */
export function progressInPlace(ports: JobPorts, doing: ButtonDoing): ProgressMessage {
  if (doing.adapter.edit === undefined) return { update: () => undefined, finish: async () => undefined }
  let newest = ''
  const paced = createPaced({
    show: () => sayInPlace(ports, doing, newest),
    intervalMs: () => Math.max(LEAST_MS, doing.adapter.limits.editIntervalMs),
    onError: (error) => doing.log.warn({ err: error }, 'Progress could not be shown'),
  })
  return {
    update(text) {
      newest = text
      paced.touch()
    },
    finish: () => paced.end(),
  }
}
