import { array, assert, asyncProperty, boolean, constantFrom, nat, oneof, uint8Array } from 'fast-check'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { Environment } from '#platform/server/routing.ts'
import { answerError } from '#platform/server/http/errors.ts'
import { readForm, type FileReceiver, type ReceivedForm } from '#platform/server/http/form.ts'

const boundary = '--x'

interface Part {
  readonly name: string
  readonly file?: string
  readonly content: string | Uint8Array
}

function toBody(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, file, content }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`,
    file === undefined ? '' : `; filename="${file}"\r\ncontent-type: text/markdown`,
    '\r\n\r\n',
    content,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
}

/** Pieces end where `cuts` say. */
function toStream(body: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const ends = [...cuts.filter((cut) => cut > 0 && cut < body.length), body.length].toSorted((a, b) => a - b)
  return new ReadableStream({
    start(controller) {
      for (const [place, end] of ends.entries()) {
        const piece = body.subarray(place === 0 ? 0 : ends[place - 1], end)
        if (piece.length > 0) controller.enqueue(piece)
      }
      controller.close()
    },
  })
}

/** Keeps in memory and knows what it holds. */
function createReceiver() {
  const held = new Set<Uint8Array>()
  const receiver: FileReceiver<Uint8Array<ArrayBuffer>> = {
    async receive(content) {
      const kept = new Uint8Array(Buffer.concat(await Array.fromAsync(content)))
      held.add(kept)
      return kept
    },
    async discard(kept) {
      held.delete(kept)
    },
  }
  return { held, receiver }
}

async function send(body: Uint8Array, cuts: readonly number[] = [], given?: FileReceiver<Uint8Array<ArrayBuffer>>) {
  const { held, receiver } = createReceiver()
  let form: ReceivedForm<Uint8Array> | undefined
  const app = new Hono<Environment>()
    .use(async (c, next) => {
      c.set('bodyIdleMs', 10_000)
      await next()
    })
    .post('/', async (c) => {
      form = await readForm(c, 'file', given ?? receiver)
      return c.text('taken')
    })
  app.onError((error, c) => answerError(c, error))
  const response = await app.request('/', {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: toStream(body, cuts),
    duplex: 'half',
  })
  return { status: response.status, text: await response.text(), form, held }
}

const content = oneof(
  uint8Array({ maxLength: 300 }),
  array(constantFrom('\r\n', '\r', '\n', '-', '--', `--${boundary}`, `\r\n--${boundary.slice(0, 2)}`, 'a'))
    .map((pieces) => Buffer.from(pieces.join('')))
    .filter((bytes) => !`\r\n${bytes.toString()}`.includes(`\r\n--${boundary}`)),
)
const cuts = array(nat(1000), { maxLength: 8 })

describe('a form', () => {
  it('gives the bytes of the file as they were, wherever the pieces end', async () => {
    await assert(
      asyncProperty(content, cuts, boolean(), async (bytes, places, fieldFirst) => {
        const file = { name: 'file', file: 'a.md', content: bytes }
        const field = { name: 'derived_from', content: 'Öl.md' }
        const { status, form } = await send(toBody(fieldFirst ? [field, file] : [file, field]), places)
        expect(status).toBe(200)
        expect(form?.fields).toEqual({ derived_from: 'Öl.md' })
        expect(Buffer.compare(Buffer.from(form?.content ?? []), Buffer.from(bytes))).toBe(0)
      }),
    )
  })

  it('is refused wherever it is cut off, and nothing of it is kept', async () => {
    const parts = [
      { name: 'file', file: 'a.md', content: '# A\n\nThe ferry leaves at nine.' },
      { name: 'model', content: 'x' },
    ]
    const whole = toBody(parts)
    // The last mark is enough for a reader; bytes after it are not part of the form.
    for (let length = 0; length < whole.length - 2; length += 1) {
      const { status, held } = await send(whole.subarray(0, length), [length - 20, length - 3])
      expect([length, status, held.size]).toEqual([length, 400, 0])
    }
  })

  it('is refused with two files, with none, and with very many parts', async () => {
    const file = { name: 'file', file: 'a.md', content: '# A' }
    const two = await send(toBody([file, file]))
    expect([two.status, two.held.size]).toEqual([400, 0])
    expect(two.text).toContain('came more than once')
    expect((await send(toBody([{ ...file, name: 'other' }]))).text).toContain('missing')
    const many = await send(
      toBody([file, ...Array.from({ length: 300 }, (_, at) => ({ name: `f${at}`, content: '' }))]),
    )
    expect([many.status, many.held.size]).toEqual([400, 0])
    expect(many.text).toContain('more than 200 parts')
  })

  it('keeps fields apart from what every object has', async () => {
    const { form } = await send(
      toBody([
        { name: '__proto__', content: 'x' },
        { name: 'list[]', content: 'a' },
        { name: 'file', file: 'a %22b%22.md', content: '# A' },
        { name: 'list[]', content: 'b' },
      ]),
    )
    expect(Object.entries(form?.fields ?? {})).toEqual([['__proto__', 'x']])
    expect(form?.lists).toEqual({ 'list[]': ['a', 'b'] })
    expect(form?.name).toBe('a "b".md')
  })

  it('tells the failure of what keeps the file, not that the form is broken', async () => {
    const full: FileReceiver<Uint8Array<ArrayBuffer>> = {
      async receive(pieces) {
        for await (const _ of pieces) throw new Error('no space left')
        return new Uint8Array()
      },
    }
    const large = toBody([{ name: 'file', file: 'a.md', content: 'x'.repeat(3_000_000) }])
    const { status } = await send(large, [500_000, 1_000_000, 1_500_000, 2_000_000], full)
    expect(status).toBe(500)
  })
})
