import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '#platform/engine/engine.ts'
import { startUpstreamDouble, type UpstreamDouble } from '#test/doubles/upstream/double.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

/** Meanings that the scripted model knows: each is one direction, whichever of its words is used. */
const meanings = [
  /ferry|crossing|boat/i,
  /canteen|lunch|meal/i,
  /holiday|vacation/i,
  /printer|toner/i,
  /parking|garage/i,
  /laptop|notebook/i,
]
const byMeaning = (text: string) => {
  const vector = meanings.map((meaning) => (meaning.test(text) ? 1 : 0))
  return vector.every((value) => value === 0) ? meanings.map(() => 0.01) : vector
}

const texts = [
  'The ferry leaves the eastern quay at nine.',
  'The canteen opens at noon and closes at two.',
  'Everybody has thirty days of holiday in a year.',
  'The printer stands on the second floor beside the lift.',
  'The garage below the house has forty places.',
  'Every new colleague gets a laptop on the first day.',
]

/**
 * Retrieval by words and vectors, whatever keeps them.
 *
 * @param place gives the address of an empty database, or undefined for files
 */
export function describeHybrid(name: string, place: () => Promise<string | undefined>): void {
  describe(`hybrid retrieval, ${name}`, () => {
    let dataDir: string
    let databaseUrl: string | undefined
    let upstream: UpstreamDouble
    const open: Engine[] = []
    beforeEach(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'footbridge-hybrid-'))
      databaseUrl = await place()
      upstream = await startUpstreamDouble()
      upstream.embedBy(byMeaning)
    })
    afterEach(async () => {
      await Promise.all(open.splice(0).map((engine) => engine.close()))
      await upstream.close()
      await rm(dataDir, { recursive: true, force: true })
    })

    const start = async (embeddingModel: string | undefined = 'double-embed') => {
      const sink = createLogSink()
      const engine = await createEngine({
        dataDir,
        databaseUrl,
        log: sink.log,
        upstream: { baseUrl: upstream.baseUrl, embeddingModel },
      })
      open.push(engine)
      const key = await engine.identify(engine.firstKey.key)
      if (key === undefined) throw new Error('the first key is not known')
      const ask = async (question: string) => {
        const collection = await engine.collections.require(key.user, 'notes')
        const { passages } = await engine.retrieve([collection], { question, limit: 3 })
        return passages.map((passage) => passage.body)
      }
      return { engine, user: key.user, ask, sink }
    }
    type Started = Awaited<ReturnType<typeof start>>
    const fill = async ({ engine, user }: Started) => {
      await engine.collections.create(user, 'notes')
      for (const [index, text] of texts.entries()) {
        await engine.files.upload(user, 'notes', {
          name: `note-${index}.md`,
          content: await engine.files.receive([new TextEncoder().encode(text)]),
        })
      }
      await engine.collections.generateIndex(user, 'notes')
    }
    const inputs = () =>
      upstream.requests
        .filter((request) => request.path === '/embeddings')
        .map((request) => request.json?.['input'] as readonly string[])

    it('finds by meaning what no word of the question names, with all chunks in one request', async () => {
      const started = await start()
      await fill(started)
      expect(inputs().map((input) => input.length)).toEqual([6])
      expect((await started.ask('When does the boat depart?'))[0]).toBe(texts[0])
      expect((await started.ask('Where can I have a meal?'))[0]).toBe(texts[1])
    })

    it('tells in the record which model makes the vectors', async () => {
      const started = await start()
      await fill(started)
      const { index_info: info } = await started.engine.collections.get(started.user, 'notes')
      expect(info?.embeddings_model).toBe('double-embed')
      await started.engine.close()
      const { engine, user } = await start('')
      expect((await engine.collections.get(user, 'notes')).index_info?.embeddings_model).toBeNull()
    })

    it('still says that something is not there', async () => {
      const started = await start()
      await fill(started)
      expect(await started.ask('Who painted the Mona Lisa?')).toEqual([])
    })

    it('embeds what is new only, and everything again for another model', async () => {
      const started = await start()
      await fill(started)
      await started.engine.files.upload(started.user, 'notes', {
        name: 'more.md',
        content: await started.engine.files.receive([new TextEncoder().encode('The boat house is closed in winter.')]),
      })
      await started.engine.collections.generateIndex(started.user, 'notes')
      expect(inputs().map((input) => input.length)).toEqual([6, 1])
      await started.engine.close()
      const second = await start('another')
      await second.engine.collections.generateIndex(second.user, 'notes')
      expect(inputs().map((input) => input.length)).toEqual([6, 1, 7])
      expect((await second.ask('Where is a crossing by water?'))[0]).toMatch(/ferry|boat/)
    })

    it('searches the words when the model server fails, says so once, and the next pass brings the vectors', async () => {
      upstream.embedBy({ kind: 'fault', fault: 'status', status: 500 })
      const started = await start()
      await fill(started)
      expect((await started.ask('When does the ferry leave?'))[0]).toBe(texts[0])
      expect(await started.ask('When does the boat depart?')).toEqual([])
      expect(started.sink.entries.filter((entry) => entry.message.includes('Embeddings failed'))).toHaveLength(1)
      upstream.embedBy(byMeaning)
      await started.engine.collections.generateIndex(started.user, 'notes')
      expect((await started.ask('When does the boat depart?'))[0]).toBe(texts[0])
    })

    it('answers by words from an index whose vectors another model made, and by meaning again once they are made anew', async () => {
      const started = await start()
      await fill(started)
      await started.engine.close()
      const second = await start('another')
      expect((await second.ask('When does the ferry leave?'))[0]).toBe(texts[0])
      await expect.poll(async () => (await second.ask('When does the boat depart?'))[0]).toBe(texts[0])
    })

    it('forgets the vectors of a removed file', async () => {
      const started = await start()
      await fill(started)
      await started.engine.files.remove(started.user, 'notes', 'note-0.md')
      expect(await started.ask('When does the boat depart?')).not.toContain(texts[0])
    })
  })
}
