import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSdkLogger, toClientOptions } from '../../../../adapters/slack/api.ts'
import { TextClient } from '../../../../adapters/slack/calls/web-client.ts'
import { setScene } from '../scene.ts'

async function openClient() {
  const { slack, channel } = await setScene()
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const options = toClientOptions({ apiUrl: slack.apiUrl }, createSdkLogger(log))
  return { slack, channel, web: new TextClient(slack.botToken, options) }
}

test('every text arrives as it was, half a surrogate pair aside', async () => {
  const { slack, channel, web } = await openClient()
  const text = fc.oneof(
    fc.string({ minLength: 1, unit: 'binary' }),
    fc.constantFrom('{"a":1}', 'a=b&c=%20+d', "!'()*~", ' '),
  )
  await fc.assert(
    fc.asyncProperty(text, async (said) => {
      await web.apiCall('chat.postMessage', { channel, text: `: ${said}`, thread_ts: undefined })
      expect(slack.calls.at(-1)?.args).toEqual({ channel, text: `: ${said}` })
    }),
    { numRuns: 50 },
  )
  await web.apiCall('chat.postMessage', { channel, text: 'half \ud83d' })
  expect(slack.calls.at(-1)?.args['text']).toBe('half \ufffd')
})
