import { describe, expect, it } from 'vitest'
import { logDestination, toLogLine } from '#start/log-lines.ts'
import { createLog } from '#start/log.ts'

const time = new Date(2026, 10, 27, 12, 3, 11).getTime()
const line = (entry: object) => toLogLine(JSON.stringify({ level: 40, time, ...entry }))

describe('a log line for people', () => {
  it('has time, level, part, sentence, reason and fields', () => {
    const err = { type: 'Error', message: 'no such channel', stack: 'Error: no such channel\n    at post (a.ts:1:2)' }
    expect(line({ part: 'slack', msg: 'Could not post', err, channel: 'C1', tries: 2 })).toBe(
      '12:03:11 warn  slack     Could not post: no such channel  channel=C1  tries=2\n',
    )
  })

  it('says a reason once, and shows where an error came from', () => {
    const err = { message: 'refused', stack: 'Error: refused\n    at post (a.ts:1:2)\n    at run (b.ts:3:4)' }
    expect(line({ level: 50, msg: 'Slack refused', err })).toBe(
      '12:03:11 error           Slack refused\n           at post (a.ts:1:2)\n           at run (b.ts:3:4)\n',
    )
  })

  it('is written in a terminal and where it is asked for', () => {
    const written: string[] = []
    const out = (isTTY: boolean) => ({ isTTY, write: (text: string) => written.push(text) })
    expect(logDestination(undefined, out(false))).toBeUndefined()
    expect(logDestination('json', out(true))).toBeUndefined()
    for (const to of [logDestination(undefined, out(true)), logDestination('text', out(false))])
      createLog('info', to)
        .child({ part: 'page' })
        .info({ token: 'fb-0123456789abcdefABCDEF' }, 'Key xoxb-1-2-abc was used')
    expect(written).toHaveLength(2)
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d info {2}page {6}Key \[redacted\] was used {2}token=\[redacted\]\n$/)
    expect(written[1]).toBe(written[0])
  })
})
