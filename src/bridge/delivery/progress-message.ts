import { createPacedNotice, type PacedNotice } from './paced-message.ts'
import type { ButtonDoing, JobPorts } from './job-context.ts'
import { sayInPlace } from './replace-message.ts'

/** Slow enough for any service. */
const LEAST_MS = 2000

/** Progress in the place of the message with the button; where nothing can be edited, none: the end alone is told. */
export function progressInPlace(ports: JobPorts, doing: ButtonDoing): PacedNotice {
  if (doing.adapter.edit === undefined) return { update: () => undefined, finish: async () => undefined }
  return createPacedNotice({
    show: (text) => sayInPlace(ports, doing, text),
    intervalMs: Math.max(LEAST_MS, doing.adapter.limits.editIntervalMs),
    onError: (error) => doing.log.warn({ err: error }, 'Progress could not be shown'),
  })
}
