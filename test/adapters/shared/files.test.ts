import { expect, test } from 'vitest'
import { isAllowedHost } from '../../../adapters/shared/files.ts'
import { allowedHosts } from '../../../adapters/slack/config.ts'

test.each([
  ['https://files.slack.com/x', [], true],
  ['http://files.slack.com/x', [], false],
  ['https://files.slack.com:8443/x', [], false],
  ['https://user:pass@files.slack.com/x', [], false],
  ['https://files.slack.com.evil.example/x', [], false],
  ['https://evil-files.slack.com/x', [], false],
  ['https://slack.com/x', [], false],
  ['http://127.0.0.1:4000/x', [], false],
  ['http://127.0.0.1:4000/x', ['127.0.0.1:*'], true],
  ['http://127.0.0.1:4000/x', ['127.0.0.1:4000'], true],
  ['http://127.0.0.1:4001/x', ['127.0.0.1:4000'], false],
  ['http://files.example.org/x', ['files.example.org'], false],
  ['https://files.example.org/x', ['files.example.org'], true],
  ['ftp://files.slack.com/x', [], false],
] as const)('Slack: %s with %j is allowed: %s', (url, hosts, allowed) => {
  expect(isAllowedHost(new URL(url), allowedHosts(hosts))).toBe(allowed)
})
