/** The documents as a site: it is built, its links lead somewhere, and its search finds. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import MiniSearch from 'minisearch'
import { afterAll, beforeAll, expect, it } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const output = mkdtempSync(join(tmpdir(), 'footbridge-site-'))
const read = (path: string) => readFileSync(join(output, path), 'utf8')
const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

beforeAll(async () => {
  const program = join(REPOSITORY, 'node_modules/@11ty/eleventy/cmd.cjs')
  // Relative: Eleventy takes no other.
  const words = ['--config=docs/site/eleventy.config.mjs', '--quiet', `--output=${relative(REPOSITORY, output)}`]
  await promisify(execFile)(process.execPath, [program, ...words], { cwd: REPOSITORY })
})
afterAll(() => rmSync(output, { recursive: true, force: true }))

const pages = () => globSync('**/*.html', { cwd: output })

it('has a page for each document of people, and none of code', () => {
  expect(pages()).toEqual(
    expect.arrayContaining(['index.html', 'docs/slack.html', 'docs/adr/index.html', 'CHANGELOG.html']),
  )
  expect(pages().filter((path) => /^(?:src|test|adapters|bench|node_modules|\.github)\//.test(path))).toEqual([])
})

it('has no link to a page, a place on it or a picture that is not there', () => {
  const anchors = new Map(pages().map((path) => [path, new Set(allOf(read(path), /\bid="([^"]+)"/g))]))
  const files = new Set(globSync('**/*.*', { cwd: output }))
  const broken = pages().flatMap((path) =>
    allOf(read(path), /\b(?:href|src)="([^"]+)"/g)
      .filter((link) => !/^(?:https?|mailto):/.test(link))
      .filter((link) => {
        const [to = '', hash] = link.split('#')
        const target = to === '' ? path : normalize(join(dirname(path), to))
        return (
          !files.has(target) || (hash !== undefined && anchors.get(target)?.has(decodeURIComponent(hash)) === false)
        )
      })
      .map((link) => `${path}: ${link}`),
  )
  expect(broken).toEqual([])
})

it('finds a setting, and a word in other letters', () => {
  const index = MiniSearch.loadJSON(read('search.json'), { fields: ['title', 'text'], storeFields: ['title'] })
  const search = (words: string) =>
    index
      .search(words, { prefix: true, fuzzy: 0.2, boost: { title: 3 }, combineWith: 'AND' })
      .map(({ id }) => String(id))
  expect(search('UPSTREAM_CONTEXT_TOKENS').slice(0, 3).join(' ')).toContain('docs/operations.html#settings')
  expect(search('kubernets')[0]).toContain('docs/deploy.html#kubernetes')
})
