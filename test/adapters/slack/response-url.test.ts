import { expect, test } from 'vitest'
import { isResponseUrl } from '#adapters/slack/config.ts'

test.each([
  ['https://hooks.slack.com/commands/T1/1/x', undefined, true],
  ['https://hooks.slack.com/commands/T1/1/x', 'https://gateway.example/slack/api', true],
  ['https://gateway.example/commands/1', 'https://gateway.example/slack/api', true],
  ['https://gateway.example/commands/1', undefined, false],
  ['https://hooks.slack.com.example/commands/1', 'https://slack.com/api', false],
])('an answer to a command may go to %s where the API is at %s: %s', (url, apiUrl, expected) => {
  expect(isResponseUrl(new URL(url), apiUrl)).toBe(expected)
})
