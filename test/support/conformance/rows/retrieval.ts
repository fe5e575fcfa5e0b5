import assert from 'node:assert/strict'
import { chatStreamEvent } from '#platform/wire/chat.ts'
import { INFERENCE_HEADER, TOOL_FIELD } from '#platform/wire/profile.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { answerText, events, type Reply, streamedText, type Session } from '../session.ts'

const sentence = 'High tide at the north pier is at noon. The keeper, Ms Okonkwo, writes it on the slate.'
const body = `# Tides\n\n${sentence}`
const question = 'When is high tide at the north pier?'
const notes = `---\ntitle: Zuckerguss\nsecret: marzipan\n---\n${body}\n`

const fill = (s: Session) => s.withFiles({ 'tides.md': notes })

/** Everything from the heading of the block on. */
const blockOf = (text: string) => text.slice(text.lastIndexOf('References:'))

/** The entries that a stream carries in addition to the text of its block. */
const fieldsOf = (reply: Reply) =>
  events(reply)
    .filter((event) => event !== '[DONE]')
    .flatMap((event) => chatStreamEvent.parse(JSON.parse(event)).references ?? [])

/** A stream from a collection, asked for by the names of the deployed service. */
async function askArcana(s: Session, id: string, more: object) {
  const json = { ...s.chatBody(question, { stream: true, arcana: { id }, 'enable-tools': true, ...more }) }
  const reply = await s.call('POST', s.paths.chat, {
    json,
    headers: { [INFERENCE_HEADER.name]: INFERENCE_HEADER.value },
  })
  const bodies = events(reply).slice(0, -1)
  return { reply, told: bodies.map((event) => chatStreamEvent.parse(JSON.parse(event))) }
}

export const retrievalRows: readonly Row[] = [
  everywhere(
    [6, 100, 104],
    'with all three additions the answer ends with the chunk, verbatim, in a References: block',
    async (s) => {
      const text = answerText(await s.askFiles(await fill(s), question))
      assert.ok(text.includes('References:'))
      // How a file is cut is the server's own: the paragraph stays in one piece.
      assert.ok(blockOf(text).includes(sentence), blockOf(text))
    },
  ),
  everywhere([101], 'without any one of the three additions nothing is retrieved', async (s) => {
    const name = await fill(s)
    const id = await s.idOf(name)
    const { chatObject } = s.target.profile
    const header = { [INFERENCE_HEADER.name]: INFERENCE_HEADER.value }
    const all = { [chatObject]: { id }, [TOOL_FIELD]: true }
    for (const [what, additions, headers, credential] of [
      ['header', all, {}, s.target.profile.collectionChatCredential],
      ['tool field', { [chatObject]: { id } }, header, s.target.profile.collectionChatCredential],
      ['collection', { [TOOL_FIELD]: true }, header, 'bearer'],
    ] as const) {
      const text = answerText(await s.chat(s.chatBody(question, additions), { headers, credential }))
      assert.doesNotMatch(text, /References:/, `without the ${what}`)
      assert.ok(!text.includes('Okonkwo'), `without the ${what}`)
    }
  }),
  onlyOurs([102], 'the additions are called enable-tools, collection and inference-service', async (s) => {
    const name = await fill(s)
    const more = { collection: { id: await s.idOf(name) }, 'enable-tools': true }
    const ask = (additions: object, header: object) =>
      s.chat(s.chatBody(question, { collection: more.collection, ...additions }), { headers: { ...header } })
    const header = { 'inference-service': 'saia-openai-gateway' }
    assert.match(answerText(await ask(more, header)), /References:/)
    assert.doesNotMatch(answerText(await ask({ enable_tools: true }, header)), /References:/)
    assert.doesNotMatch(answerText(await ask(more, { 'inference-service': 'other' })), /References:/)
  }),
  everywhere([103], 'the answer from a collection is a usual chat answer', async (s) => {
    const reply = await s.askFiles(await fill(s), question)
    assert.partialDeepStrictEqual(reply.json, { choices: [{ message: { role: 'assistant' } }] })
  }),
  everywhere([6, 104, 131], 'a streamed answer ends with the block, too', async (s) => {
    const reply = await s.askFiles(await fill(s), question, { stream: true })
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.ok(blockOf(streamedText(reply)).includes(sentence))
    assert.equal(events(reply).at(-1), '[DONE]')
  }),
  everywhere([105, 106], 'the front matter stands in no block and in no field of an answer', async (s) => {
    const name = await fill(s)
    for (const asked of [question, 'What is the secret of Zuckerguss?']) {
      for (const stream of [false, true]) {
        const reply = await s.askFiles(name, asked, { stream })
        assert.equal(reply.status, 200)
        const answer = stream ? streamedText(reply) : reply.text
        assert.doesNotMatch(answer.replaceAll(asked, ''), /marzipan|title: Zuckerguss/)
      }
    }
  }),
  onlyOurs([105, 106], 'the front matter reaches no model', async (s, { upstream }) => {
    await s.askFiles(await fill(s), question)
    assert.doesNotMatch(JSON.stringify(upstream.requests.at(-1)?.json), /marzipan/)
    assert.match(JSON.stringify(upstream.requests.at(-1)?.json), /Okonkwo/)
  }),
  onlyOurs(
    [108],
    'an entry is a mark, the file, a distance in 0…1 and then the chunk; its place is in a field',
    async (s) => {
      const name = await s.withFiles({ 'tides.md': notes, 'h.pdf': await makePdf(ferryPages) })
      for (const model of ['double-chat', 'extractive']) {
        const tides = await s.askFiles(name, question, { model })
        const head = /\n-{41}\nReferences:\n\n\[RREF1\] tides\.md \([01]\.\d{3}\)\n# Tides\n/
        assert.match(answerText(tides), head)
        assert.partialDeepStrictEqual(tides.json, { references: [{ number: 1, file: 'tides.md', place: 'L5-7' }] })
        const ferry = await s.askFiles(name, 'When does the ferry leave?', { model, stream: true })
        assert.match(streamedText(ferry), /\n\[RREF\d\] h\.pdf \([01]\.\d{3}\)\n# Getting there\n/)
        const fields = fieldsOf(ferry)
        assert.ok(fields.some(({ file, place }) => file === 'h.pdf' && place === 'p.2'))
        const heads = streamedText(ferry).matchAll(/^\[RREF(\d+)\] (.*) \((\d\.\d{3})\)$/gm)
        assert.deepEqual(
          Array.from(heads, ([, number, file, distance]) => [Number(number), file, Number(distance)]),
          fields.map(({ number, file, distance }) => [number, file, distance]),
        )
        for (const { distance } of fields) assert.ok(distance >= 0 && distance <= 1)
      }
    },
  ),
  onlyOurs(
    [102, 136],
    'a stream asked by the name arcana begins with its progress and ends with its usage',
    async (s) => {
      const id = await s.idOf(await fill(s))
      for (const model of ['double-chat', 'extractive']) {
        const { reply, told } = await askArcana(s, id, { model })
        const calls = told.slice(0, 2).map(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function)
        assert.deepEqual(calls, [
          { name: 'arcana.event', arguments: JSON.stringify({ event: 'accessing', arcana: id }) },
          { name: 'arcana.event', arguments: JSON.stringify({ event: 'done' }) },
        ])
        assert.deepEqual(told.at(-1)?.choices, [])
        assert.ok((told.at(-1)?.usage?.total_tokens ?? 0) > 0)
        assert.ok(blockOf(streamedText(reply)).includes(sentence))
        const neutral = await s.askFiles(id, question, { model, stream: true })
        assert.doesNotMatch(neutral.text, /arcana|tool_calls/)
      }
      const both = await askArcana(s, id, { collection: { id } })
      assert.equal(both.reply.status, 422)
    },
  ),
  onlyOurs([6], 'what does not stand in the collection is answered without a block', async (s) => {
    const text = answerText(
      await s.askFiles(await fill(s), 'Who won the football world cup in Brazil?', { model: 'extractive' }),
    )
    assert.match(text, /^Not found in this collection/)
    assert.doesNotMatch(text, /References:/)
  }),
]
