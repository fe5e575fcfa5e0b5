import { expect, test } from 'vitest'
import { isAllowedHost, kindOfUpload } from '#adapters/shared/files.ts'
import { allowedHosts } from '#adapters/slack/config.ts'

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

test.each([
  ['http://10.0.0.1:4000/x', ['10.0.0.1:*'], true],
  ['http://files.example.org/x', ['files.example.org'], true],
  ['http://cdn.discordapp.com/x', [], false],
  ['https://cdn.discordapp.com:8443/x', [], false],
  ['https://user@files.example.org/x', ['files.example.org'], false],
  ['ftp://files.example.org/x', ['files.example.org'], false],
] as const)('where plain http is allowed anywhere, %s with %j is allowed: %s', (url, further, allowed) => {
  const hosts = { own: ['cdn.discordapp.com'], further, plainHttp: 'anywhere' as const }
  expect(isAllowedHost(new URL(url), hosts)).toBe(allowed)
})

test.each([
  ['memo.ogg', 'audio/ogg', 'audio'],
  ['memo.ogg', '', 'audio'],
  ['photo.HEIC', '', 'image'],
  ['x.bin', 'image/png', 'image'],
  ['notes.md', '', 'document'],
  ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
  ['old.doc', 'application/msword', 'document'],
  ['old.xls', '', 'document'],
  ['a.zip', 'application/zip', 'other'],
  ['noending', '', 'other'],
  ['constructor', '', 'other'],
])('%s of type "%s" is taken for %s', (name, mimeType, kind) => {
  expect(kindOfUpload(name, mimeType)).toBe(kind)
})
