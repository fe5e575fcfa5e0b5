/** The systemd unit of docs/deploy.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')
const unit = read('deploy/footbridge.service')
const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

it('starts the program of the package, like npm start without a flag of V8', () => {
  const { bin, scripts, files } = JSON.parse(read('package.json')) as {
    readonly bin: { readonly footbridge: string }
    readonly scripts: { readonly start: string }
    readonly files: readonly string[]
  }
  expect(scripts.start).not.toMatch(/--(?!import)/)
  expect(valueOf('ExecStart')).toBe(`/usr/bin/node /opt/footbridge/node_modules/footbridge/${bin.footbridge}`)
  expect(files).toContain('deploy')
})

it('keeps data for its user alone, gives answers time to end, and starts again', () => {
  expect(valueOf('StateDirectoryMode')).toBe('0700')
  expect(unit).toContain('DATA_DIR=/var/lib/footbridge')
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThanOrEqual(20)
  expect(valueOf('Restart')).toBe('on-failure')
  expect(unit).toMatch(/^ProtectSystem=strict$/m)
  // Node compiles as it runs.
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute/m)
})
