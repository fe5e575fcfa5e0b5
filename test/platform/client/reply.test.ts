import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { pauseMs } from '#platform/client/chat.ts'
import type { Deadline } from '#platform/client/deadline.ts'
import { createReply } from '#platform/client/reply.ts'

const watch = { begin: () => {}, end: () => {}, release: () => {} }
const deadline = { signal: new AbortController().signal, watch: () => watch, failure: () => undefined }

function open() {
  const body = new PassThrough()
  const reply = createReply(
    { statusCode: 200, header: () => undefined, body },
    { doing: 'reading', deadline: deadline as unknown as Deadline, betweenBytesMs: 1000, onEnd: () => {} },
  )
  return { body, reply }
}

it('what comes in the pause between two reads is one piece, and the end of the body ends the pause', async () => {
  const { body, reply } = open()
  const pieces = reply.bytes((reads) => (reads === 1 ? 3_600_000 : 0))
  const first = pieces.next()
  body.write('a')
  expect(String((await first).value)).toBe('a')
  const second = pieces.next()
  for (const piece of 'bcd') {
    body.write(piece)
    await nextTurn()
  }
  body.end('e')
  expect(String((await second).value)).toBe('bcde')
  expect(await pieces.next()).toEqual({ done: true, value: undefined })
})

it('a stream is read as it comes while few are open, and at its beginning', () => {
  expect([1, 2, 50].map((reads) => pauseMs(9, reads))).toEqual([0, 0, 0])
  expect([1, 2, 5, 50].map((reads) => pauseMs(100, reads))).toEqual([0, 20, 50, 200])
  expect(pauseMs(1000, 1000)).toBe(250)
})

it('beside many others, an answer whose first text was read leaves the turn to the first texts of the others', () => {
  expect([1, 2, 50].map((reads) => pauseMs(9, reads, true))).toEqual([0, 0, 0])
  expect([1, 2].map((reads) => pauseMs(100, reads, true))).toEqual([100, 200])
  expect(pauseMs(1000, 1, true)).toBe(250)
})
