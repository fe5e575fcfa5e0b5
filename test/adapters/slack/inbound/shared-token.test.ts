import { expect, test } from 'vitest'
import { connectionsIn } from '#adapters/slack/inbound/shared-token.ts'

const frame = (fields: object) => JSON.stringify(fields)

test.each([
  ['a hello', frame({ type: 'hello', num_connections: 3 }), 3],
  ['a hello without a number', frame({ type: 'hello' }), undefined],
  ['a hello with another number', frame({ type: 'hello', num_connections: '9' }), undefined],
  ['what somebody wrote', frame({ type: 'events_api', payload: { text: '"hello"', num_connections: 9 } }), undefined],
  ['a frame that is cut off', '{"type":"hello","num_connections":3', undefined],
  ['bytes', Buffer.from(frame({ type: 'hello', num_connections: 3 })), undefined],
])('connections are counted by a hello alone: %s', (_, received, connections) => {
  expect(connectionsIn(received)).toBe(connections)
})
