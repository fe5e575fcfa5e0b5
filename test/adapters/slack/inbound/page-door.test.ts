import { expect, test } from 'vitest'
import type { ChannelFile } from '#bridge/port/channel-files.ts'
import { StoreUnavailableError } from '#bridge/port/errors.ts'
import { createPagePictures } from '#adapters/shared/page-pictures.ts'
import { createPageDoor } from '#adapters/slack/inbound/page-door.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

const URL_OF = 'https://footbridge.example.org'
const ANSWER = 'a_B-0123456789cd'
const conversation = { adapter: 'slack', workspace: 'T1', channel: 'C1', direct: false }

function doorTo({ secret = 'secret', bytes = '%PDF-1.7', fault = undefined as Error | undefined } = {}) {
  let now = 1_780_000_000_000
  let isReadable = true
  const drawn: unknown[] = []
  const file = { id: 'F#0', name: 'a.pdf', version: 1, state: 'ready', droppedBy: 'Ben', messageId: '1.1' } as const
  const listed: readonly ChannelFile[] = [{ ...file, retryable: false, earlier: [] }]
  const log = createLogSink()
  const door = createPageDoor({
    publicUrl: URL_OF,
    log,
    secret,
    clock: () => now,
    async cited({ answer, number }) {
      if (fault !== undefined) throw fault
      if (!isReadable || answer !== ANSWER || number > 2) return undefined
      const place = number === 1 ? 'p.4' : 'L4'
      return { answer: { conversation }, reference: { number, file: 'a.pdf', place, passage: 'The quay.' } }
    },
    files: () => ({
      list: async () => listed,
      open: async (_, id) => ({ name: id, mimeType: 'application/pdf', bytes: new Blob([bytes]) }),
    }),
    pictures: createPagePictures(
      async (_, asked) => {
        drawn.push(asked)
        return new Uint8Array([1, 2, 3])
      },
      log,
      () => now,
    ),
  })
  const see = async (address: string, method = 'GET') => (await door.fetch(new Request(address, { method }))).status
  return { door, see, drawn, log, pass: (ms: number) => (now += ms), close: () => (isReadable = false) }
}

test('a page is a picture for a quarter of an hour, with what Slack wants of a preview, and never kept', async () => {
  const { door, see, drawn, pass } = doorTo()
  const address = door.addressOf(ANSWER, 1)
  const answer = await door.fetch(new Request(address))
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 3])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'access-control-allow-origin': 'https://app.slack.com',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(drawn).toEqual([{ page: 4, quote: 'The quay.' }])
  // No word of the passage, whose address proxies log.
  expect(address).not.toMatch(/quay|pdf/)
  // Slack shows a pane for ten minutes without asking again.
  pass(10 * 60_000)
  expect(await see(address)).toBe(200)
  pass(6 * 60_000)
  expect(await see(address)).toBe(404)
})

test('an address that was changed, or made with another secret, shows nothing', async () => {
  const { door, see, drawn } = doorTo()
  const address = door.addressOf(ANSWER, 1)
  const later = address.replace(/\.(\d{10})\./, '.9999999999.')
  const others = [later, `${address}A`, address.slice(0, -1), `${URL_OF}/slack/pages/`, `${URL_OF}/slack/pages/%00`]
  for (const other of [...others, doorTo({ secret: 'other' }).door.addressOf(ANSWER, 1)])
    expect(await see(other)).toBe(404)
  expect(await see(address, 'POST')).toBe(404)
  expect(drawn).toEqual([])
})

test('the right to read it is that of the moment, and what is no page of a PDF is not drawn', async () => {
  const { door, see, close } = doorTo()
  expect(await see(door.addressOf(ANSWER, 1))).toBe(200)
  for (const number of [2, 3]) expect(await see(door.addressOf(ANSWER, number))).toBe(404)
  close()
  expect(await see(door.addressOf(ANSWER, 1))).toBe(404)
  const { door: text, see: look } = doorTo({ bytes: 'no PDF' })
  expect(await look(text.addressOf(ANSWER, 1))).toBe(404)
})

test('while files or the database cannot be reached, Slack is told to come back, and the log why', async () => {
  const { door, log } = doorTo({ fault: new StoreUnavailableError('The database is away.') })
  const answer = await door.fetch(new Request(door.addressOf(ANSWER, 1)))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.text()).not.toContain('database')
  expect(log.at('warn')).toHaveLength(1)
})
