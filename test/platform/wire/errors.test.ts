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
  ['{"errors":[{"message":"of Cloudflare","code":3030}],"success":false}', 'of Cloudflare'],
  ['{"fault":{"faultstring":"of Apigee","detail":{"errorcode":"x"}}}', 'of Apigee'],
  ['{"Message":"of AWS"}', 'of AWS'],
  ['{"base_resp":{"status_code":1008,"status_msg":"of MiniMax"}}', 'of MiniMax'],
  [
    '{"error":{"message":"Provider returned error","metadata":{"raw":"{\\"message\\":\\"too long\\"}"}}}',
    'Provider returned error: too long',
  ],
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

test.each([
  [{ code: 500, msg: 'm', data: null }],
  [{ success: false, message: 'm' }],
  [{ detail: 'm' }],
  [{ error_code: 17, error_msg: 'm' }],
  [{ choices: null, base_resp: { status_code: 1008, status_msg: 'm' } }],
  [{ choices: [{ delta: {}, finish_reason: 'error', error: { code: 502, message: 'm' } }] }],
])('an error in the form %j is one', (body) => {
  expect(readStreamError(body)).toMatchObject({ message: 'm' })
})

test.each([
  [{ message: 'a sentence alone' }],
  [{ code: 0, message: 'success', data: [] }],
  [{ choices: [], message: 'm', code: 500 }],
  [{ choices: [{ delta: { content: 'x' }, error: { message: '', code: 0 } }] }],
])('%j is none', (body) => {
  expect(readStreamError(body)).toBeUndefined()
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
