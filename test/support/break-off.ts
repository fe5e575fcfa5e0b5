import { readdirSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** Ends a download without its rest as soon as a partial file below `folder` holds this many bytes. */
export async function breakOff(response: ServerResponse, folder: string, bytes: number): Promise<void> {
  const partialBytes = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.part'))
      .map((name) => statSync(join(folder, name)).size)
  await eventually(() => partialBytes().includes(bytes), { everyMs: 5 })
  response.destroy()
}
