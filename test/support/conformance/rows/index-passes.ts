import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { answerText, createSession, sentence, type Session } from '../session.ts'

/** Text that takes seconds to index: its words are all different. */
function longText(bytes: number): string {
  const lines: string[] = []
  for (let length = 0, n = 0; length < bytes; n += 1) {
    const words = Array.from({ length: 12 }, (_, at) => `w${((n * 12 + at) * 2_654_435_761) % 4_294_967_291}`)
    const line = `${words.join(' ')}.`
    lines.push(n % 20 === 0 ? `\n## Part ${n}\n` : line)
    length += line.length
  }
  return lines.join('\n')
}

/** A pass that is under way; `end` waits for it. */
async function running(s: Session, bytes: number) {
  const name = await s.create()
  await s.upload(name, 'long.md', longText(bytes))
  const ended = s.call('POST', s.paths.generateIndex(name))
  ended.catch(() => undefined)
  for (let status: string | null | undefined; status !== 'PROCESSING'; await delay(5)) {
    status = (await s.record(name)).index_info?.index_status
    assert.notEqual(status, 'INDEXED', 'the pass was over too soon')
  }
  return { name, end: () => ended }
}

export const indexPassRows: readonly Row[] = [
  everywhere([75], 'the pass after an overwrite finds the new text', async (s) => {
    const name = await s.withFiles({ 'a.md': 'The password of the boathouse is walrus.' })
    const ask = async () => answerText(await s.askFiles(name, 'What is the password of the boathouse?'))
    assert.match(await ask(), /walrus/)
    await s.replace(name, 'a.md', 'The password of the boathouse is seagull.')
    await s.pass(name)
    const answer = await ask()
    assert.match(answer, /seagull/)
    assert.doesNotMatch(answer, /walrus/)
  }),
  onlyOurs([74, 75], 'what was overwritten or deleted is retrieved no more, at once', async (s) => {
    const name = await s.withFiles({
      'a.md': 'The password of the boathouse is walrus.',
      'b.md': 'The password of the crane is heron.',
    })
    const ask = async () => answerText(await s.askFiles(name, 'What is the password of boathouse and crane?'))
    assert.match(await ask(), /walrus[\s\S]*heron|heron[\s\S]*walrus/)
    await s.replace(name, 'a.md', 'The password of the boathouse is seagull.')
    assert.doesNotMatch(await ask(), /walrus|seagull/)
    await s.call('DELETE', s.paths.file(name, 'b.md'))
    assert.doesNotMatch(await ask(), /heron/)
  }),
  everywhere([77, 122, 123], 'a pass takes all files that are not indexed, and leaves the others', async (s) => {
    const name = await s.withFiles({ 'a.md': '# A\n\nFirst.' })
    const before = await s.file(name, 'a.md')
    await s.upload(name, 'b.md', '# B\n\nSecond.')
    await s.upload(name, 'c.md', '# C\n\nThird.')
    await s.pass(name)
    for (const file of await s.files(name)) assert.equal(file.index_info?.index_status, 'INDEXED')
    assert.deepEqual(await s.file(name, 'a.md'), before)
  }),
  onlyOurs([77, 123], 'a pass says how many files it took: only the new ones', async (s) => {
    const name = await s.withFiles({ 'a.md': '# A\n\nFirst.' })
    await s.upload(name, 'b.md', '# B\n\nSecond.')
    const passed = async () => (await s.call('POST', s.paths.generateIndex(name))).json
    assert.partialDeepStrictEqual(await passed(), { files_indexed: 1 })
    assert.partialDeepStrictEqual(await passed(), { files_indexed: 0 })
  }),
  onlyOurs(
    [78, 81],
    'a file that cannot be read is ERROR, with the reason, and is tried again by the next pass',
    async (s) => {
      const name = await s.create()
      await s.upload(name, 'broken.pdf', (await makePdf(ferryPages)).slice(0, 400))
      await s.upload(name, 'good.md', '# Good\n\nThis one is fine.')
      const passed = async () => (await s.call('POST', s.paths.generateIndex(name))).json
      assert.partialDeepStrictEqual(await passed(), { files_indexed: 1, files_failed: 1 })
      const info = (await s.file(name, 'broken.pdf')).index_info
      assert.equal(info?.index_status, 'ERROR')
      assert.match(info.error_msg ?? '', /damaged/)
      assert.partialDeepStrictEqual(await passed(), { files_indexed: 0, files_failed: 1 })
      await s.replace(name, 'broken.pdf', await makePdf(ferryPages))
      assert.partialDeepStrictEqual(await passed(), { files_indexed: 1, files_failed: 0 })
      assert.equal((await s.file(name, 'broken.pdf')).index_info?.index_status, 'INDEXED')
    },
  ),
  onlyOurs(
    [79, 80, 83, 144],
    'while a pass runs, reads answer, writes wait and then get 423, a second trigger 409',
    async (_, server) => {
      const s = createSession(await server.another({ writeWaitMs: 100 }))
      const { name, end } = await running(s, server.busyBytes)
      const replies = await Promise.all([
        s.call('POST', s.paths.generateIndex(name)),
        s.upload(name, 'b.md', '# B'),
        s.replace(name, 'long.md', '# C'),
        s.call('DELETE', s.paths.file(name, 'long.md')),
        s.call('DELETE', s.paths.deleteIndex(name)),
        s.call('DELETE', s.paths.collection(name)),
        s.call('GET', s.paths.collections),
        s.call('GET', s.paths.files(name)),
        s.call('GET', s.paths.download(name, 'long.md')),
      ])
      assert.deepEqual(
        replies.map((reply) => reply.status),
        [409, 423, 423, 423, 423, 423, 200, 200, 200],
      )
      assert.match(replies[1]?.headers.get('retry-after') ?? '', /^\d+$/)
      assert.equal((await s.record(name)).index_info?.index_status, 'PROCESSING', 'the pass was over too soon')
      assert.equal((await end()).status, 200)
      assert.equal((await s.record(name)).index_info?.index_status, 'INDEXED')
      assert.equal((await s.upload(name, 'b.md', '# B')).status, 201)
      assert.equal((await s.record(name)).index_info?.index_status, 'NOT_INDEXED')
    },
  ),
  onlyOurs([82], 'deleting the index sets the files back to NOT_INDEXED and keeps them', async (s) => {
    const name = await s.withFiles({ 'a.md': 'The password of the boathouse is walrus.' })
    assert.equal((await s.call('DELETE', s.paths.deleteIndex(name))).status, 200)
    assert.partialDeepStrictEqual((await s.file(name, 'a.md')).index_info, {
      index_status: 'NOT_INDEXED',
      chunks_indexed: 0,
    })
  }),
  everywhere([117], 'after the index is deleted nothing is retrieved; the next pass brings it back', async (s) => {
    const name = await s.withFiles({ 'a.md': 'The password of the boathouse is walrus.' })
    const ask = async () => answerText(await s.askFiles(name, 'What is the password of the boathouse?'))
    assert.match(await ask(), /walrus/)
    assert.ok((await s.call('DELETE', s.paths.deleteIndex(name))).status < 300)
    assert.doesNotMatch(await ask(), /walrus/)
    await s.pass(name)
    assert.match(await ask(), /walrus/)
  }),
  onlyOurs([116], 'the trigger answers when the pass is over', async (s) => {
    const name = await s.create()
    await s.upload(name, 'a.md', '# A\n\nText.')
    const reply = await s.call('POST', s.paths.generateIndex(name))
    assert.equal(reply.status, 200)
    assert.equal((await s.file(name, 'a.md')).index_info?.index_status, 'INDEXED')
  }),
  onlyOurs([124], 'one file alone cannot be indexed', async (s) => {
    const name = await s.create()
    await s.upload(name, 'a.md', '# A\n\nText.')
    for (const path of [`${s.paths.file(name, 'a.md')}/generate-index`, s.paths.file(name, 'a.md')]) {
      assert.ok([404, 405].includes((await s.call('POST', path)).status), path)
    }
    assert.equal((await s.file(name, 'a.md')).index_info, null)
  }),
  everywhere([125], 'the end of a pass shows in the record and in the file list', async (s) => {
    const name = await s.create()
    await s.upload(name, 'a.md', '# A\n\nText.')
    assert.notEqual((await s.record(name)).index_info?.index_status, 'INDEXED')
    await s.pass(name)
    assert.equal((await s.record(name)).index_info?.index_status, 'INDEXED')
    assert.equal((await s.file(name, 'a.md')).index_info?.index_status, 'INDEXED')
  }),
  onlyOurs([142, 149], 'a long pass is answered with 504 and goes on', async (_, server) => {
    const s = createSession(await server.another({ passAnswerMs: 50 }))
    const { name, end } = await running(s, 2_000_000)
    const reply = await end()
    assert.equal(reply.status, 504, reply.text)
    assert.match(sentence(reply), /goes on/)
    await s.settled(name)
    assert.equal((await s.record(name)).index_info?.index_status, 'INDEXED')
  }),
  everywhere([143], 'a pass goes on when the connection of its trigger is closed', async (s) => {
    const name = await s.create()
    await s.upload(name, 'long.md', longText(1_000_000))
    const leave = new AbortController()
    const asked = s.call('POST', s.paths.generateIndex(name), { signal: leave.signal })
    asked.catch(() => undefined)
    while (['', 'NOT_INDEXED'].includes((await s.record(name)).index_info?.index_status ?? '')) await delay(5)
    leave.abort()
    await s.settled(name)
    assert.equal((await s.record(name)).index_info?.index_status, 'INDEXED')
  }),
]
