import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('../../src/start/remove-unused.js', import.meta.url))

it('removes unused parts of packages, and never a package whose name looks like one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-unused-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const kept = ['@scope/test/index.js', 'lodash.map/index.js', 'one/node_modules/core.a/index.js', 'one/LICENSE.md']
  const unused = ['one/test/index.js', '@scope/two/tests/index.js', 'one/index.js.map', 'one/README.md', 'zod/src/a.ts']
  const at = (path: string) => join(folder, 'node_modules', path)
  for (const path of [...kept, ...unused]) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), '')
  }
  execFileSync(process.execPath, [script], { cwd: folder })
  expect([...kept, ...unused].filter((path) => existsSync(at(path)))).toEqual(kept)
})
