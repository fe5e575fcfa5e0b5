import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { papers } from '#bench/documents/papers.ts'
import { questions, unanswerable } from '#bench/documents/questions.ts'
import type { FileCitation, ResponseBody } from '#platform/wire/responses.ts'
import { REFERENCES_RULE } from '#platform/wire/references.ts'
import { openPlatform, readEvents, type TestPlatform } from '../platform.ts'

interface Chat {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
  readonly references?: readonly { readonly number: number; readonly file: string; readonly place?: string }[]
}

function partOf({ output }: ResponseBody) {
  const message = output.find((item) => item.type === 'message')
  return { text: message?.content[0]?.text ?? '', annotations: message?.content[0]?.annotations ?? [] }
}

/** Number of each mark in the text, with its range. */
const marksIn = (text: string) =>
  Array.from(text.matchAll(/\[RREF(\d+)\]/g), ({ 0: mark, 1: number, index }) => ({
    number: Number(number),
    range: [index, index + mark.length],
  }))

const short = ({ start_index: from, end_index: to, filename, place }: FileCitation) => ({
  range: [from, to],
  filename,
  place,
})

describe('the questions of the references set', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', Object.fromEntries(papers.map(({ name, raw }) => [`${name}.md`, raw])))
  })
  afterAll(() => platform.close())

  const ask = (path: string, json: object) =>
    platform.call('POST', path, { json: { model: 'extractive', ...json }, bearer: true })

  it('have the same answer as a response and as a chat, and each annotation is at its mark', async () => {
    const tools = [{ type: 'file_search', vector_store_ids: ['notes'] }]
    let marks = 0
    for (const input of [...questions.map(({ text }) => text), ...unanswerable]) {
      const messages = [{ role: 'user', content: input }]
      const chat = (await (await ask('/v1/chat/completions', { messages, collection: 'notes' })).json()) as Chat
      const made = partOf((await (await ask('/v1/responses', { input, tools })).json()) as ResponseBody)
      const [said = ''] = (chat.choices[0]?.message.content ?? '').split(`\n${REFERENCES_RULE}\n`)
      // Below an unsure answer a chat has its block, and a response has marks in place of it.
      const isUnsure = marksIn(said).length === 0
      const named = isUnsure ? (chat.references ?? []).map(({ number }) => ` [RREF${number}]`).join('') : ''
      expect(made.text).toBe(said + named)
      const wanted = marksIn(made.text).map(({ number, range }) => {
        const entry = chat.references?.find((one) => one.number === number)
        return { range, filename: entry?.file, place: entry?.place }
      })
      expect(made.annotations.map(short)).toEqual(wanted)
      marks += wanted.length

      const events = await readEvents(await ask('/v1/responses', { input, tools, stream: true }))
      const last = JSON.parse(events.at(-1) ?? '') as { response: ResponseBody }
      expect(partOf(last.response)).toEqual(made)
    }
    expect(marks).toBeGreaterThan(60)
  })
})
