/** The lock file, the binary of Node and the licences: the installed packages are the reviewed ones. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { licencesOf, type Lock } from './support/licences.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as Lock

/** Licences that ask for no more than to be named, and MPL-2.0, whose files are used as they are. */
const TAKEN =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|PSF-2\.0|MPL-2\.0|Zlib|AFL-2\.1|Unicode-3\.0|Python-2\.0|CC0-1\.0|CC-BY-4\.0)( (AND|OR) [\w.-]+)*\)?$/

it('every package is locked by its content', () => {
  const open = Object.entries(lock.packages).filter(
    ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
  )
  expect(open.map(([path]) => path)).toEqual([])
})

it('every licence is one that we take', () => {
  const all = licencesOf(lock)
  expect(all.length).toBeGreaterThan(300)
  // Its licence is in a file, not in its package.json: MIT.
  const told = all.filter(({ name }) => name !== 'png-js')
  expect(told.filter(({ licence }) => !TAKEN.test(licence))).toEqual([])
})

it('only the package of Node runs a script when it is installed, and its binary is locked here', () => {
  const { allowScripts, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, unknown>>
  expect(Object.keys(allowScripts ?? {}).filter((name) => allowScripts?.[name] === true)).toEqual(['node'])
  expect(read('src/start/check-node.js')).toContain(`'${String(devDependencies?.['node'])}': {`)
})

it('a Node that is another one is removed, and said', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const binary = join(folder, 'node_modules/node/bin/node')
  mkdirSync(join(binary, '..'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/node/package.json'), '{"version":"26.10.0"}')
  const check = () =>
    spawnSync(process.execPath, [join(root, 'src/start/check-node.js')], { cwd: folder, encoding: 'utf8' })
  expect(check().status).toBe(0)
  writeFileSync(binary, 'another')
  const { status, stderr } = check()
  expect(status).toBe(1)
  expect(stderr).toContain(createHash('sha256').update('another').digest('hex'))
  expect(existsSync(binary)).toBe(false)
})

it('npm writes a bill of materials from the lock', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  const [npm = '', ...words] = (scripts['sbom'] ?? '').split(' ')
  const bill = JSON.parse(execFileSync(npm, words, { cwd: root, encoding: 'utf8', maxBuffer: 64e6 })) as {
    readonly bomFormat: string
    readonly components: readonly unknown[]
  }
  expect(bill.bomFormat).toBe('CycloneDX')
  expect(bill.components.length).toBeGreaterThan(100)
})
