import assert from 'node:assert/strict'
import { INFERENCE_HEADER, TOOL_FIELD } from '../../../../src/platform/wire/profile.ts'
import { ferryPages, makePdf } from '../../../fixtures/pdf.ts'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { answerText, events, streamedText, type Session } from '../session.ts'

const sentence = 'High tide at the north pier is at noon. The keeper, Ms Okonkwo, writes it on the slate.'
const body = `# Tides\n\n${sentence}`
const question = 'When is high tide at the north pier?'
const notes = `---\ntitle: Zuckerguss\nsecret: marzipan\n---\n${body}\n`

const fill = (s: Session) => s.withFiles({ 'tides.md': notes })

/** Everything behind the heading of the block. */
const blockOf = (text: string) => text.slice(text.lastIndexOf('References:'))

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
  onlyOurs([108], 'an entry is a mark, the file, a place, a distance in 0…1 and then the chunk', async (s) => {
    const name = await s.withFiles({ 'tides.md': notes, 'h.pdf': await makePdf(ferryPages) })
    for (const model of ['double-chat', 'extractive']) {
      const tides = answerText(await s.askFiles(name, question, { model }))
      assert.match(tides, /\n-{41}\nReferences:\n\n\[RREF1\] tides\.md L5-7 \([01]\.\d{3}\)\n# Tides\n/)
      const ferry = answerText(await s.askFiles(name, 'When does the ferry leave?', { model }))
      assert.match(ferry, /\n\[RREF\d\] h\.pdf p\.2 \([01]\.\d{3}\)\n# Getting there\n/)
      for (const [, distance] of `${tides}${ferry}`.matchAll(/^\[RREF\d+\] .*\((\d\.\d{3})\)$/gm)) {
        assert.ok(Number(distance) <= 1)
      }
    }
  }),
  onlyOurs([6], 'what does not stand in the collection is answered without a block', async (s) => {
    const text = answerText(
      await s.askFiles(await fill(s), 'Who won the football world cup in Brazil?', { model: 'extractive' }),
    )
    assert.match(text, /^Not found in this collection/)
    assert.doesNotMatch(text, /References:/)
  }),
]
