import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseErrorBody, readStreamError } from '#platform/wire/errors.ts'
import { errorBodies } from '#test/doubles/platform/faults.ts'

test.each(errorBodies)('the body $body says "$says"', ({ body, says }) => {
  expect(parseErrorBody(body).message).toBe(says)
  expect(parseErrorBody(`\uFEFF \r\n${body}\n`).message).toBe(says)
})

test('type and code come along, a numeric code as text', () => {
  const error = { message: 'm', type: 'BadRequestError', code: 400 }
  const expected = { message: 'm', type: 'BadRequestError', code: '400' }
  expect(parseErrorBody(JSON.stringify({ error }))).toEqual(expected)
  expect(parseErrorBody(JSON.stringify({ object: 'error', ...error }))).toEqual(expected)
})

test.each([
  ['{"error":"plain"}', 'plain'],
  ['{"detail":{"message":"nested"}}', 'nested'],
  ['{"error":{"status":404},"message":"beside"}', 'beside'],
  ['[{"error":{"message":"listed"}}]', 'listed'],
  ['"just text"', 'just text'],
  ['{"detail":["a","b"]}', 'a; b'],
  ['{"title":"Bad Request","status":400}', 'Bad Request'],
  ['{broken', '{broken'],
  ['{}', ''],
  ['null', 'null'],
  ['<html><script>alert(1)</script><body>a &lt;b&gt; &amp; c</body></html>', 'a <b> & c'],
  ['<h1>\n503   Service\tUnavailable </h1>', '503 Service Unavailable'],
  ['2 < 3', '2 < 3'],
  ['<title>a</title', 'a</title'],
  ['<script>a</style><p>b', ''],
  ['<p>a<style>b</STYLE ><p>c <d', 'a c <d'],
])('the body %j says %j', (body, message) => {
  expect(parseErrorBody(body).message).toBe(message)
})

test('a long message is cut, and no body whatever makes it throw', () => {
  expect(parseErrorBody('x'.repeat(10_000)).message).toHaveLength(500)
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
      expect(typeof parseErrorBody(body).message).toBe('string')
    }),
  )
})

test('an error within errors without end is an error without a sentence', () => {
  const json: unknown = JSON.parse(`${'{"error":'.repeat(50_000)}{"message":"deep"}${'}'.repeat(50_000)}`)
  expect(readStreamError(json)).toEqual({ message: '' })
})

test('an error event is told from an ordinary one', () => {
  expect(readStreamError({ object: 'error', message: 'm', type: 'T', code: 503 })).toEqual({
    message: 'm',
    type: 'T',
    code: '503',
    status: 503,
  })
  expect(readStreamError({ type: 'error', status: 500, message: 'm', choices: null })).toMatchObject({
    message: 'm',
    status: 500,
  })
  expect(readStreamError({ error: { message: 'm' } })).toEqual({ message: 'm' })
  expect(readStreamError({ error: 'm' })).toEqual({ message: 'm' })
  for (const event of [{ choices: [] }, { choices: null }, { error: null, choices: [] }, null, 'x', []]) {
    expect(readStreamError(event)).toBeUndefined()
  }
})
