import { expect, test } from 'vitest'
import { closeAtEnd } from './support/close-at-end.ts'
import { startFootbridge } from './support/footbridge.ts'

test('a chat service that cannot be reached at the start is not said to be connected', async () => {
  const footbridge = closeAtEnd(
    await startFootbridge({ DISCORD_TOKEN: 'abcdef.ghijkl.mnopqrstuv', DISCORD_API_URL: 'http://127.0.0.1:9/api' }),
  )
  expect(footbridge.output.said[2]).toMatch(/^Chat services: web page; Slack not set .*; Discord out of reach/)
})
