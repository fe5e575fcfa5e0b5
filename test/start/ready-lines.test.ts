import { expect, it } from 'vitest'
import { readyLines } from '#start/ready-lines.ts'

const READY = {
  version: '1.2.3',
  url: 'http://0.0.0.0:3000',
  isOpen: false,
  services: { Slack: true, Discord: false },
  answers: 'gpt of https://models.example/v1',
  search: 'by words',
  hasModel: true,
  data: '/data',
  key: '/data/platform-key',
}

it('three lines: what runs and where, who answers, what to do next', () => {
  expect(readyLines(READY)).toEqual([
    'Footbridge 1.2.3 is ready: http://localhost:3000 (with WEB_PASSWORD). Slack is connected, Discord is out of reach (Footbridge goes on trying).',
    'Answers: gpt of https://models.example/v1. Search: by words.',
    'Next: invite Footbridge to a channel and drop a file there. Data: /data. API key: /data/platform-key.',
  ])
})

it('what is not set up yet is named', () => {
  const services = { Slack: undefined, Discord: undefined }
  const [, , next] = readyLines({ ...READY, isOpen: true, services, hasModel: false, key: undefined })
  expect(next).toBe(
    'Next: open the page and drop a file. To add Slack, Discord or a language model: npm run init. Data: /data.',
  )
})
