/** Data of an earlier version opens, migrates and goes on. How it was made: test/fixtures/old-data/README.md. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WebFindings, WebState } from '../adapters/web/protocol.ts'
import { createEngine } from '../src/platform/engine/engine.ts'
import { startUpstreamDouble } from './doubles/upstream/double.ts'
import { createLogSink } from './platform/server/platform.ts'
import { PATIENCE } from './support/patience.ts'
import { usePostgres } from './support/postgres/postgres.ts'
import { createBrowser } from './support/web/browser.ts'
import { startFootbridge } from './support/footbridge.ts'

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/old-data/${name}`, import.meta.url))

const FERRY = 'The ferry to the island leaves at 10:15 from pier seven every day except Monday.'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-old-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The program of today on a copy of the old folder. */
async function startOnOldFolder() {
  const dataDir = temporaryFolder()
  cpSync(fixture('folder'), dataDir, { recursive: true })
  const apiKey = 'throw-away-key-of-a-fixture'
  const upstream = await startUpstreamDouble({ apiKey })
  const footbridge = await startFootbridge({
    DATA_DIR: dataDir,
    UPSTREAM_BASE_URL: upstream.baseUrl,
    UPSTREAM_API_KEY: apiKey,
    UPSTREAM_CHAT_MODEL: 'double-chat',
    UPSTREAM_EMBEDDING_MODEL: 'double-embed',
    SECOND_LOOK: 'off',
  })
  onTestFinished(async () => {
    await footbridge.close()
    await upstream.close()
  })
  const browser = createBrowser((request) => fetch(request), { origin: footbridge.url.replace(/\/$/, '') })
  const state = (await (await browser.request('/api/web/state')).json()) as WebState
  const channel = state.channels.find(({ name }) => name === 'ferry')?.id ?? ''
  const messages = async () => (await browser.history(channel)).messages
  const sees = (pattern: RegExp) =>
    vi.waitFor(async () => {
      const found = (await messages()).findLast(({ text, streaming }) => !streaming && pattern.test(text))
      if (found === undefined) throw new Error(`Nothing looks like ${pattern}.`)
      return found
    }, PATIENCE)
  return {
    footbridge,
    browser,
    messages,
    sees,
    asks: (text: string) => browser.say(channel, { name: 'Ada', text: `@footbridge ${text}` }),
  }
}

describe('a data folder of an earlier version', () => {
  it('shows its messages, finishes its jobs, and answers from its files', async () => {
    const { footbridge, browser, messages, sees, asks } = await startOnOldFolder()

    const old = await messages()
    const asked = old.find(({ text }) => text.includes('When does the ferry leave?'))
    expect(asked?.author).toBe('Ada')
    expect(old.find(({ references }) => references.length > 0)).toMatchObject({
      text: 'The passages answer this [1]. That is all I know.',
      references: [{ number: 1, file: 'ferry.md', version: 2, droppedBy: 'Bob', passage: `# Ferry\n\n${FERRY}` }],
    })

    // The two jobs that were under way: a file, and an answer whose message stands there already.
    await sees(/✅ \*\*lighthouse\.md\*\* — ready/)
    const pending = old.find(({ text }) => text.includes('Who was the lighthouse keeper?'))
    await vi.waitFor(async () => {
      const answers = (await messages()).filter(({ ours, thread }) => ours && thread === pending?.id)
      expect(answers).toMatchObject([{ streaming: false }])
      expect(answers[0]?.actions.length).toBeGreaterThan(0)
    }, PATIENCE)

    // Old messages are found, and the file panel shows what they dropped.
    const found = (await (await browser.request('/api/web/search?q=ferr')).json()) as WebFindings
    expect(found.messages.map(({ id }) => id)).toContain(asked?.id)
    expect(found.files.map(({ name }) => name)).toContain('ferry.md')

    await asks('files')
    const list = await sees(/^(?=[^]*ferry\.md)(?=[^]*pump\.csv)(?=[^]*lighthouse\.md)/)
    expect(list.text).toContain('lighthouse.md')

    const before = (await messages()).filter(({ references }) => references.length > 0).length
    await asks('From which pier does the ferry leave?')
    const answer = await vi.waitFor(async () => {
      const answers = (await messages()).filter(({ references, streaming }) => references.length > 0 && !streaming)
      expect(answers.length).toBeGreaterThan(before)
      return answers.at(-1)
    }, PATIENCE)
    expect(answer?.references[0]).toMatchObject({ file: 'ferry.md', version: 2, passage: `# Ferry\n\n${FERRY}` })
    expect(footbridge.alarms()).toEqual([])
  })
})

describe('a database of an earlier version', () => {
  const postgres = usePostgres()

  it('is opened by the engine, which lists its files and finds what stands in them', async () => {
    const databaseUrl = await postgres.database()
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(readFileSync(fixture('platform.sql'), 'utf8'))
    await client.end()
    const engine = await createEngine({ log: createLogSink().log, dataDir: temporaryFolder(), databaseUrl })
    onTestFinished(() => engine.close())

    const key = await engine.identify(engine.firstKey.key)
    if (key === undefined) throw new Error('the first key is not known')
    const { user } = key
    const [collection] = await engine.collections.list(user)
    const name = collection?.name ?? ''
    expect(collection).toMatchObject({ file_count: 2 })
    const files = await engine.files.list(user, name)
    expect(files.map((file) => [file.name, file.index_info?.index_status])).toEqual([
      ['ferry.md', 'INDEXED'],
      ['pump.csv.md', 'INDEXED'],
    ])
    const { content } = await engine.files.download(user, name, 'ferry.md')
    expect(await new Response(content).text()).toBe(`# Ferry\n\n${FERRY}\n`)
    const row = await engine.collections.require(user, name)
    const { passages } = await engine.retrieve([row], { question: 'When does the ferry leave?', limit: 3 })
    expect(passages[0]).toMatchObject({ file: 'ferry.md', body: expect.stringContaining(FERRY) })
  })
})
