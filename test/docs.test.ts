import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SETTING_NAMES } from '#src/config.ts'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const documents = globSync(['*.md', 'llms.txt', 'docs/**/*.md', 'deploy/**/*.md'], { cwd: REPOSITORY })
const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')
const { scripts, engines, version } = JSON.parse(read('package.json')) as {
  version: string
  scripts: Record<string, string>
  engines: { node: string }
}
const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
const sources = globSync(['src/**/*.{ts,tsx}', '{adapters,test,bench}/**/*.{ts,tsx}'], { cwd: REPOSITORY })
const MAX_DECISIONS = 35
const CHANGES_ANOTHER =
  /\b(?:amend|supersed|replac|adds? to|takes? up|take[ns]? the place|complet|chang|ends?\b|since)[^.\n]{0,60}(?:\[\d+\]\(\d{4}-|\b(?:ADR|decision) \d+)/i
/** Decisions state what holds now: one that changes another replaces its page, so that there are few. */
function findOddDecisions(pages: Readonly<Record<string, string>>): string[] {
  const paths = Object.keys(pages)
  const changing = paths.filter((path) => CHANGES_ANOTHER.test(pages[path] ?? ''))
  return paths.length > MAX_DECISIONS ? [...changing, `${paths.length} decisions`] : changing
}
const MAX_UNRELEASED_LINES = 120
/** Lines of the changelog on what is not released yet. */
const countUnreleased = (text: string): number =>
  (/^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1] ?? '').split('\n').length
/** Code, inline or fenced. */
const codeIn = (text: string) =>
  allOf(text, /```\w*\n([\s\S]*?)```|(?:^|[^`])`[^`\n]+`/g)
    .concat(allOf(text, /`([^`\n]+)`/g))
    .join('\n')

const decisions = Object.fromEntries(globSync('docs/adr/*.md', { cwd: REPOSITORY }).map((path) => [path, read(path)]))

describe('the documents', () => {
  it('are there', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']))
    expect(Object.keys(decisions).length).toBeGreaterThanOrEqual(7)
  })

  it.each(documents)('%s links only to files that are there', (path) => {
    const links = allOf(read(path), /\]\(([^)\s]+)\)/g).filter((link) => !/^(https?:|#|mailto:)/.test(link))
    const missing = links.filter((link) => {
      const target = normalize(join(dirname(path), link.replace(/#.*$/, '')))
      return !existsSync(join(REPOSITORY, target))
    })
    expect(missing).toEqual([])
  })

  it.each(documents)('%s names only source files that are there', (path) => {
    const named = allOf(read(path), /`([\w./-]+\.tsx?)`/g)
    const missing = named.filter((name) => !sources.some((source) => `/${source}`.endsWith(`/${name}`)))
    // Written by whoever adds a language.
    expect(missing.filter((name) => name !== 'src/bridge/texts/french.ts')).toEqual([])
  })

  it.each(documents)('%s names only scripts that package.json has', (path) => {
    const named = [
      ...allOf(codeIn(read(path)), /npm run (?:-s |--silent )?([\w:-]+)/g),
      ...allOf(codeIn(read(path)), /\bnpm (start|test)\b/g),
    ]
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  it.each(documents)('%s names only settings that there are', (path) => {
    const named = allOf(codeIn(read(path)), /\b((?:[A-Z]+_)+[A-Z]+)(?==|\b(?![\w/.-]))/g)
    // Names of the same form that are not settings.
    const others = new Set([
      'NODE_ENV',
      'OLLAMA_CONTEXT_LENGTH',
      'MAX_RETRIES',
      'NOT_INDEXED',
      'BENCH_DATA',
      'TEST_DATABASE_URL',
      'NODE_EXTRA_CA_CERTS',
      'POSTGRES_PASSWORD',
      'FOOTBRIDGE_IMAGE',
    ])
    expect(named.filter((name) => !SETTING_NAMES.includes(name) && !others.has(name))).toEqual([])
  })

  it('name only log lines that the source writes', () => {
    const source = globSync(['src/**/*.ts', 'adapters/**/*.ts'], { cwd: REPOSITORY }).map(read).join('\n')
    const table = /\| line at `warn` or above \| do \|\n([\s\S]*?)\n\n/.exec(read('docs/operations.md'))?.[1] ?? ''
    const named = table.split('\n').flatMap((row) => allOf(row.split('|')[1] ?? '', /`([^`]+)`/g))
    expect(named.length).toBeGreaterThanOrEqual(10)
    // The shared code of models on this machine begins its lines with the model's name.
    const written = (line: string) => source.includes(line.replace(/^(Embedding|Speech) model could/, '} could'))
    expect(named.filter((line) => !written(line))).toEqual([])
  })

  it('number the decisions without a gap', () => {
    const numbers = Object.keys(decisions)
      .map((path) => Number(/(\d{4})-/.exec(path)?.[1]))
      .toSorted((one, other) => one - other)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  it('have decisions of one form: number, state, and sections in one order', () => {
    const order = ['Context', 'Decision', 'Reasons', 'Compared', 'Consequences']
    const odd = Object.entries(decisions).filter(([path, text]) => {
      const sections = allOf(text, /^## (.*)$/gm)
      const isOrdered = sections.every((name, at) => order.indexOf(name) > order.indexOf(sections[at - 1] ?? ''))
      const number = Number(/(\d{4})-/.exec(path)?.[1])
      const begins = text.startsWith(`# ${number}. `) && /^.+\n\nAccepted\.\n/.test(text)
      return !begins || !isOrdered || !sections.includes('Decision')
    })
    expect(odd.map(([path]) => path)).toEqual([])
  })

  it('have decisions that state what holds now, and few of them', () => {
    expect(findOddDecisions(decisions)).toEqual([])
  })

  it.each([
    ['Accepted. Amends [3](0003-the-door.md).'],
    ['Accepted. Amended by ADR 7.'],
    ['Accepted. Replaces the last sentence of [45](0045-processes-agree.md).'],
    ['Superseded by [9](0009-another.md).'],
    ['Accepted. Adds to [32](0032-processes.md) and to [30](0030-workspaces.md).'],
    ['At most two events. Since [55](0055-requests.md) it is 24.'],
  ])('would not have the decision: %s', (text) => {
    expect(findOddDecisions({ ...decisions, 'docs/adr/planted.md': text })).toEqual(['docs/adr/planted.md'])
  })

  it('would not have one decision more than can be read', () => {
    const many = Object.fromEntries(
      Array.from({ length: MAX_DECISIONS + 1 }, (_, index) => [`docs/adr/${index}.md`, '']),
    )
    expect(findOddDecisions(many)).toEqual([`${MAX_DECISIONS + 1} decisions`])
  })
})

describe('README.md', () => {
  it('has exactly two commands that do all the set-up: one to start, one to test', () => {
    const commands = allOf(read('README.md'), /^(npm ci && npm \w+)$/gm)
    expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  })

  it('asks for the Node that package.json asks for', () => {
    expect(read('README.md')).toContain(`Node ${engines.node.replace('>=', '')} or newer`)
  })

  it('is read in a few minutes', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150)
  })

  it('says what has been run and what has not', () => {
    expect(read('README.md')).toMatch(/## What has been run, and what has not[\s\S]*Not run, ever/)
  })
})

describe('CHANGELOG.md', () => {
  it('says what is not released yet on one page', () => {
    expect(countUnreleased(read('CHANGELOG.md'))).toBeLessThanOrEqual(MAX_UNRELEASED_LINES)
  })

  it('has the version of package.json with its day, the newest first', () => {
    const released = allOf(read('CHANGELOG.md'), /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)
    expect(released[0]).toBe(version)
  })

  it('would not have a longer one', () => {
    const planted = `## [Unreleased]\n${'- More.\n'.repeat(MAX_UNRELEASED_LINES)}\n## [0.1.0]\n- Less.\n`
    expect(countUnreleased(planted)).toBeGreaterThan(MAX_UNRELEASED_LINES)
  })
})

describe('docs/operations.md', () => {
  it('explains every setting', () => {
    const explained = new Set(allOf(read('docs/operations.md'), /`([A-Z_]+)`/g))
    expect(SETTING_NAMES.filter((name) => !explained.has(name))).toEqual([])
  })
})
