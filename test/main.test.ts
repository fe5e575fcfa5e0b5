import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startUpstreamDouble } from './doubles/upstream/double.ts'
import { closeAtEnd } from './support/close-at-end.ts'
import { startFootbridge } from './support/footbridge.ts'

test('a chat service that cannot be reached at the start is not said to be connected', async () => {
  const footbridge = closeAtEnd(
    await startFootbridge({ DISCORD_TOKEN: 'abcdef.ghijkl.mnopqrstuv', DISCORD_API_URL: 'http://127.0.0.1:9/api' }),
  )
  expect(footbridge.output.said[0]).toMatch(
    /\. Slack is not set, Discord is out of reach \(Footbridge goes on trying\)\.$/,
  )
})

test('three lines say who answers, by which model, and what to do next', async () => {
  const upstream = closeAtEnd(await startUpstreamDouble({ models: ['nomic-embed-text', 'small', 'large'] }))
  const footbridge = closeAtEnd(await startFootbridge({ UPSTREAM_BASE_URL: upstream.baseUrl }))
  const { said } = footbridge.output
  expect(said).toEqual([
    expect.stringMatching(
      /^Footbridge \S+ is ready: http:\/\/127\.0\.0\.1:\d+ \(only from this machine\)\. Slack is not set/,
    ),
    `Answers: small (first of 2 models) of ${upstream.baseUrl}. Search: by words.`,
    `Next: open the page and drop a file. To add Slack or Discord: npm run init. Data: ${footbridge.dataDir}. API key: ${join(footbridge.dataDir, 'platform-key')}.`,
  ])
  await footbridge.restart({ UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1', UPSTREAM_CHAT_MODEL: 'small' })
  expect(said[4]).toBe(
    'Answers: small of http://127.0.0.1:9/v1, which does not list its models (the log says why). Search: by words.',
  )
})
