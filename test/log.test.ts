import { describe, expect, it } from 'vitest'
import { createLog, redactText } from '#start/log.ts'

interface Entry extends Record<string, unknown> {
  readonly msg: string
}

function createSink() {
  const lines: string[] = []
  return {
    write: (line: string) => void lines.push(line),
    lines,
    entries: () => lines.map((line) => JSON.parse(line) as Entry),
  }
}

// Made up, in the shapes that the services give them.
const CREDENTIALS = [
  'xoxb-1111-2222-aBcDeF',
  'xapp-1-A111-222-abcdef',
  'Bearer abcdefgh.ijkl-mnop',
  'Bot MTIzNDU2Nzg5.abcDEF.gHiJkL',
  'fb-0123456789abcdefABCDEF',
  'postgres://anna:p%40ss@',
]

describe('createLog', () => {
  it('writes one JSON line an entry, with the part and the error under `err`', () => {
    const sink = createSink()
    const log = createLog('info', sink).child({ part: 'slack' })
    log.error({ err: new Error('refused') }, 'Could not post.')
    expect(sink.entries()).toMatchObject([
      { part: 'slack', msg: 'Could not post.', err: { type: 'Error', message: 'refused' } },
    ])
  })

  it.each([
    ['info', Error, ''],
    ['debug', Error, expect.stringContaining('at ')],
    ['info', TypeError, expect.stringContaining('at ')],
  ] as const)('a warning at level %s with a %o is one line, a stack only where it helps', (level, Kind, stack) => {
    const sink = createSink()
    const cause = new Error('connect ECONNREFUSED')
    createLog(level, sink).warn({ err: new Kind('It cannot be reached.', { cause }), at: 1 }, 'Models are not listed')
    expect(sink.entries()).toMatchObject([{ msg: 'Models are not listed', at: 1, err: { type: Kind.name } }])
    expect(sink.entries()[0]?.['err']).toHaveProperty(
      'message',
      expect.stringMatching(/reached\.?: connect ECONNREFUSED$/),
    )
    expect(sink.entries()[0]?.['err']).toHaveProperty('stack', stack)
  })

  it('keeps below its level silent', () => {
    const sink = createSink()
    const log = createLog('warn', sink)
    log.info({}, 'not this')
    log.warn({}, 'but this')
    expect(sink.entries().map(({ msg }) => msg)).toEqual(['but this'])
  })

  it.each(['authorization', 'token', 'password', 'key', 'apiKey', 'botToken', 'appToken', 'secret'])(
    'hides the value of a field named %s, down to two levels',
    (name) => {
      const sink = createSink()
      const value = 'plain looking value'
      createLog('info', sink).info({ [name]: value, a: { [name]: value, b: { [name]: value } } }, 'with a secret')
      expect(sink.lines.join('')).not.toContain(value)
      expect(sink.entries()[0]).toMatchObject({ [name]: '[redacted]', a: { b: { [name]: '[redacted]' } } })
    },
  )

  it.each(CREDENTIALS)('hides a credential inside a message, an error and its stack: %s', (credential) => {
    const sink = createSink()
    const log = createLog('info', sink)
    log.error({ err: new Error(`the service refused ${credential}`) }, `sent ${credential} to it`)
    const [line] = sink.lines
    expect(line).not.toContain(credential)
    expect(sink.entries()[0]?.msg).toContain('[redacted]')
  })
})

describe('redactText', () => {
  it('leaves ordinary words alone', () => {
    const text = 'Bearer of good news: the Bot is well, fb-short and xoxo stay.'
    expect(redactText(text)).toBe(text)
  })
})
