import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SETTING_NAMES } from '../src/config.ts'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: REPOSITORY })
const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')
const { scripts, engines } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  engines: { node: string }
}
const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
/** What stands in code, inline or fenced. */
const codeIn = (text: string) =>
  allOf(text, /```\w*\n([\s\S]*?)```|(?:^|[^`])`[^`\n]+`/g)
    .concat(allOf(text, /`([^`\n]+)`/g))
    .join('\n')

describe('the documents', () => {
  it('are there', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']))
    expect(globSync('docs/adr/*.md', { cwd: REPOSITORY }).length).toBeGreaterThanOrEqual(7)
  })

  it.each(documents)('%s links only to files that are there', (path) => {
    const links = allOf(read(path), /\]\(([^)\s]+)\)/g).filter((link) => !/^(https?:|#|mailto:)/.test(link))
    const missing = links.filter((link) => {
      const target = normalize(join(dirname(path), link.replace(/#.*$/, '')))
      return !existsSync(join(REPOSITORY, target))
    })
    expect(missing).toEqual([])
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
      'OTEL_EXPORTER_OTLP_HEADERS',
      'POSTGRES_PASSWORD',
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
    const numbers = globSync('docs/adr/*.md', { cwd: REPOSITORY })
      .map((path) => Number(/(\d{4})-/.exec(path)?.[1]))
      .toSorted((one, other) => one - other)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  it('have decisions of one form: number, state, and sections in one order', () => {
    const order = ['Context', 'Decision', 'Reasons', 'Compared', 'Consequences']
    const odd = globSync('docs/adr/*.md', { cwd: REPOSITORY }).filter((path) => {
      const text = read(path)
      const sections = allOf(text, /^## (.*)$/gm)
      const isOrdered = sections.every((name, at) => order.indexOf(name) > order.indexOf(sections[at - 1] ?? ''))
      const number = Number(/(\d{4})-/.exec(path)?.[1])
      const begins = text.startsWith(`# ${number}. `) && /^.+\n\n(Accepted|Superseded)/.test(text)
      return !begins || !isOrdered || !sections.includes('Decision')
    })
    expect(odd).toEqual([])
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

  it('says what has been run and what has not', () => {
    expect(read('README.md')).toMatch(/## What has been run, and what has not[\s\S]*Not run, ever/)
  })
})

describe('docs/operations.md', () => {
  it('explains every setting', () => {
    const explained = new Set(allOf(read('docs/operations.md'), /`([A-Z_]+)`/g))
    expect(SETTING_NAMES.filter((name) => !explained.has(name))).toEqual([])
  })
})
