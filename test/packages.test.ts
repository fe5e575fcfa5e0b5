/** What is installed, against docs/packages.md and against the imports. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readGraph } from './support/imports/graph.ts'
import { findMissing } from './support/imports/package-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Locked {
  readonly dev?: boolean
  readonly devOptional?: boolean
}

const { packages } = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> }
const seen = new Set<number>()
const blockBytes = 4096
const mebibyte = 1024 * 1024

/**
 * Bytes on the disk, with the rest of each file's last block: of a package without those in it that the lock lists for
 * themselves, and of files with two names once.
 */
function sizeOf(path: string): number {
  const status = lstatSync(join(root, path))
  if (seen.has(status.ino)) return 0
  seen.add(status.ino)
  const own = Math.ceil(status.size / blockBytes) * blockBytes
  if (!status.isDirectory()) return own
  return readdirSync(join(root, path))
    .map((name) => `${path}/${name}`)
    .filter((inner) => packages[inner] === undefined)
    .map(sizeOf)
    .reduce((sum, one) => sum + one, own)
}

/** Every machine has its own of these. */
const withoutMachine = (path: string) =>
  path.replace('node_modules/', '').replace(/^(@llamaindex\/liteparse-|@esbuild\/).*/, (_, head: string) => `${head}*`)

const isThere = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined
const everything = Object.entries(packages)
  .filter(([path]) => path !== '' && isThere(path))
  .map(([path, { dev, devOptional }]) => ({
    name: withoutMachine(path),
    size: sizeOf(path) / mebibyte,
    isRun: dev !== true && devOptional !== true,
  }))
const installed = everything.filter(({ isRun }) => isRun)

it('a run-time install is below 150 MB', () => {
  expect(installed.length).toBeGreaterThan(100)
  const total = installed.reduce((sum, { size }) => sum + size, 0)
  expect(total).toBeGreaterThan(100)
  expect(total).toBeLessThan(150)
})

it('an install for the development is below 600 MB', () => {
  const total = everything.reduce((sum, { size }) => sum + size, 0)
  expect(total).toBeGreaterThan(300)
  expect(total).toBeLessThan(600)
})

it('the ten largest packages stand in the docs, with their sizes and a reason', () => {
  const rows = [...read('docs/packages.md').matchAll(/^\| `([^`]+)` \| (\d+) \| (.+) \|$/gm)]
  const told = new Map(rows.map(([, name = '', size]) => [name, Number(size)]))
  const largest = installed.toSorted((one, other) => other.size - one.size).slice(0, 10)
  expect([...told.keys()].toSorted()).toEqual(largest.map(({ name }) => name).toSorted())
  // On another machine native parts are larger or smaller.
  for (const { name, size } of largest) {
    expect(Math.abs((told.get(name) ?? 0) - size), `${name}: ${size}`).toBeLessThan(1 + size / 2)
  }
  for (const [, , , reason = ''] of rows) expect(reason.length).toBeGreaterThan(15)
})

it('the programs and the types of packages that are imported are there', () => {
  const { files, imports } = readGraph(root, '{src,adapters,test,bench}')
  const { compilerOptions } = JSON.parse(read('adapters/web/page/tsconfig.json')) as {
    readonly compilerOptions: { readonly jsxImportSource: string }
  }
  const parts = imports.filter(({ kind }) => kind === 'package' || kind === 'development').map(({ to }) => to)
  const all = [...new Set([...parts, `node_modules/${compilerOptions.jsxImportSource}/jsx-runtime`])]
  expect(all.length).toBeGreaterThan(50)
  const declared = files
    .filter((path) => path.endsWith('.d.ts'))
    .flatMap((path) => [...read(path).matchAll(/^declare module '([^']+)'/gm)].map(([, name]) => name))
  const missing = all.flatMap((part) => findMissing(root, part)).map((one) => one.replace(/\/$/, ''))
  expect(missing.toSorted()).toEqual(declared.map((name) => `types of node_modules/${name}`).toSorted())
})
