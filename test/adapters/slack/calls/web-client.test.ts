import { createServer, type ServerResponse } from 'node:http'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createSdkLogger, toClientOptions } from '#adapters/slack/api.ts'
import { TextClient } from '#adapters/slack/calls/web-client.ts'
import { setScene } from '../scene.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

async function openClient() {
  const { slack, channel } = await setScene()
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

/** A client of a server that answers like this. */
async function clientOf(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const options = toClientOptions({ apiUrl: `http://127.0.0.1:${port}/api`, timeoutMs: 200 }, createSdkLogger(log))
  return new TextClient('xoxb-1', options)
}

test('a call ends where no answer comes, where the answer stops in its middle, and where it never ends', async () => {
  const silent = await clientOf(() => undefined)
  await expect(silent.apiCall('chat.postMessage')).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' })
  const stopped = await clientOf((response) => void response.writeHead(200).write('{"ok":'))
  await expect(stopped.apiCall('chat.postMessage')).rejects.toThrow(/in time|Timeout/)
  const endless = await clientOf((response) => {
    response.writeHead(200)
    const more = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(more))
  })
  await expect(endless.apiCall('chat.postMessage')).rejects.toThrow('The answer of Slack did not end in time.')
})
