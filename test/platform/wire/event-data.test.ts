import { expect, test } from 'vitest'
import { createLineMender, readEventData } from '#platform/wire/event-data.ts'

test.each([
  ['{"a":1}', ['{"a":1}'], false],
  ['[DONE]', [], true],
  ['[done]', [], true],
  ['"[DONE]"', [], true],
  ['DONE', [], true],
  ['', [], false],
  ['ping', [], false],
  ['keep-alive', [], false],
  [': ping', [], false],
  ['data: {"a":1}', ['{"a":1}'], false],
  ['{"a":"}{"}{"b":2}', ['{"a":"}{"}', '{"b":2}'], false],
  ['{"a":1}\n{"b":2}\n[DONE]', ['{"a":1}', '{"b":2}'], true],
  ['{"a":1}\n[DONE]', ['{"a":1}'], true],
  ['[{"a":1},{"b":2}]', ['{"a":1}', '{"b":2}'], false],
  ['{"a":1', ['{"a":1'], false],
  ['Too many requests', ['Too many requests'], false],
])('the data %j is %j', (data, documents, isEnd) => {
  expect(readEventData(data)).toEqual({ documents, isEnd })
})

function mended(pieces: readonly string[]): string {
  const mend = createLineMender()
  return pieces.map((piece) => mend(piece)).join('')
}

test('lines of JSON and bare errors become events, wherever the stream is cut; other lines stay', () => {
  const lines = '{"a":1}\n{"b":2}\n'
  for (let at = 0; at <= lines.length; at += 1)
    expect(mended([lines.slice(0, at), lines.slice(at)])).toBe('\ndata: {"a":1}\n\ndata: {"b":2}\n')
  expect(mended(['error: {"message":"m"}\n'])).toBe('\nevent: error\ndata: {"message":"m"}\n')
  for (const stream of ['data: {"a":1}\n\n', ': note\r\n\r\ndata:{"a":1}\r\n\r\n', 'error: plain\n'])
    expect(mended([stream])).toBe(stream)
})

test('a document in several lines without a field is one event, wherever the stream is cut', () => {
  const shown = '{\n  "error": {\n    "list": [\n      {}\n    ],\n    "message": "m"\n  }\n}\n'
  const whole = `\n${shown.trimEnd().replaceAll(/^/gm, 'data: ')}\n`
  for (let at = 0; at <= shown.length; at += 1) expect(mended([shown.slice(0, at), shown.slice(at)])).toBe(whole)
  expect(mended(Array.from(shown))).toBe(whole)
  expect(mended(['data: {\n', '  "a": 1\n}\n\n'])).toBe('data: {\ndata:   "a": 1\ndata: }\n\n')
})
