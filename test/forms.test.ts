/** `npm test` leaves out only what a test of it holds on fewer inputs. */
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { filesOf, formOf, LONG } from './support/forms.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const long = new Set(Object.keys(LONG).flatMap((pattern) => globSync(pattern, { cwd: ROOT })))

describe('the forms of the tests', () => {
  it.each(Object.entries(LONG))('%s is held by %s', (pattern, short) => {
    expect(globSync(pattern, { cwd: ROOT })).not.toEqual([])
    const paths = short.split(', ')
    expect(paths.filter((path) => !existsSync(join(ROOT, path)) || long.has(path))).toEqual([])
  })

  it('are both of them together', () => {
    expect(filesOf('all')).toEqual({ include: ['test/**/*.test.ts'], exclude: [] })
    expect(filesOf('short').exclude).toEqual(Object.keys(LONG))
    expect(filesOf('long').include).toEqual(expect.arrayContaining(Object.keys(LONG)))
  })

  it.each([
    ['test', ['run'], 'short'],
    ['long', ['run', '--mode', 'long'], 'long'],
    ['all', ['run', '--mode', 'all'], 'all'],
    ['test', ['run', 'test/crash'], 'all'],
  ] as const)('mode %s with %j is the form %s', (mode, words, form) => {
    expect(formOf(mode, words)).toBe(form)
  })
})
