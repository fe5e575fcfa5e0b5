/** `npm test` leaves out only what a test of it holds on fewer inputs. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { filesOf, findTags, formOf, LONG } from './support/forms.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const long = new Set(Object.keys(LONG).flatMap((pattern) => globSync(pattern, { cwd: ROOT })))

describe('the forms of the tests', () => {
  it.each(Object.entries(LONG))('%s is held by %s', (pattern, short) => {
    expect(globSync(pattern, { cwd: ROOT })).not.toEqual([])
    const paths = short.split(', ')
    expect(paths.filter((path) => !existsSync(join(ROOT, path)) || long.has(path))).toEqual([])
  })

  it('leave something of each file with tests that it leaves out', () => {
    const counts = globSync('test/**/*.test.ts', { cwd: ROOT })
      .filter((path) => !long.has(path))
      .map((path) => {
        const text = readFileSync(join(ROOT, path), 'utf8')
        const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
        return { path, tagged: count(/\binLong, /g), tests: count(/\b(?:it|test|describe\w+)(?:[.]\w+)*(?:<.*>)?\(/g) }
      })
    expect(counts.filter(({ tagged }) => tagged > 0).length).toBeGreaterThan(20)
    expect(counts.filter(({ tagged, tests }) => tagged > 0 && tagged >= tests)).toEqual([])
  })

  it('run no test twice', () => {
    const tags = findTags('long')
    // The contract suite and the scenarios tag their tests themselves.
    for (const path of ['front/front', 'conformance/our-server', 'scenarios/talk', 'platform/hostile/hostile'])
      expect(tags.get(`test/${path}.test.ts`)).toEqual(['long'])
    expect([...tags.keys()].filter((path) => long.has(path))).toEqual([])
    expect([...findTags('short'), ...findTags('all')]).toEqual([])
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
