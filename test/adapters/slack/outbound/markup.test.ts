import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMeter, escapeMentions, measure, splitUnfinished, toMrkdwn } from '#adapters/slack/outbound/markup.ts'
import { staysLinear } from '#test/adapters/hostile-text.ts'

const mention = /<(?:![a-z]|[@#][A-Z])/
const calls = [
  '<!channel>',
  '<!here|x>',
  '<!everyone>',
  '<!subteam^S1>',
  '<!date^1^x|y>',
  '<@U123>',
  '<@W1|w>',
  '<#C1>',
  '@channel',
  '@here',
  '@everyone',
]

describe('the length of a text that grows', () => {
  const part = fc.constantFrom(...calls, '<', '@', '@every', '<!', 'é', '灯', '🙂', 'word ', '\n', 'a'.repeat(80))

  test('is never too low, and little too high', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), sizes, (parts, some) => {
        const text = parts.join('')
        const meter = createMeter()
        let [at, length] = [0, 0]
        for (let turn = 0; at < text.length; turn += 1) {
          const size = some[turn % some.length] ?? 1
          length = meter.add(text.slice(at, at + size))
          at += size
          expect(length).toBeGreaterThanOrEqual(measure(text.slice(0, at)))
        }
        // An emoji that is cut in two counts two bytes more.
        expect(length - measure(text)).toBeLessThanOrEqual(70 + 0.2 * text.length + 2 * parts.length)
      }),
    )
  })

  test.each(['a', '<', '@', '<!', 'é', ' ', '@channel '])(
    'takes a few looks at each of 20,000 characters of %j',
    (piece) => {
      const text = piece.repeat(20_000 / piece.length)
      const looksAt = (size: number) => {
        let looks = 0
        const meter = createMeter((characters) => (looks += characters))
        for (let at = 0; at < text.length; at += size) meter.add(text.slice(at, at + size))
        return looks
      }
      expect(looksAt(1)).toBeLessThanOrEqual(3 * looksAt(text.length))
    },
  )
})

describe('what we write', () => {
  test.each(calls)('%s calls nobody, in text or in code', (call) => {
    for (const text of [call, `\`${call}\``, `\`\`\`\n${call}\n\`\`\``]) {
      expect(escapeMentions(text)).not.toMatch(mention)
      expect(escapeMentions(text)).not.toMatch(/@(?:channel|here|everyone)/)
    }
  })

  test.each([
    '<!DOCTYPE html>',
    '<!-- note -->',
    'a < b',
    '<#include>',
    'x@here.example',
    'vec![1]',
    '# @param @hereafter',
    'List<@NonNull String>',
  ])('%s is left as it is', (text) => {
    expect(escapeMentions(text)).toBe(text)
  })

  test('the measure counts bytes after the escaping', () => {
    expect(measure('aé漢🙂')).toBe(1 + 2 + 3 + 4)
    expect(measure('<!here>')).toBe(7 + 3)
  })

  test('however a text is cut into pieces, escaping piece by piece gives the escaped whole', () => {
    const piece = fc.oneof(
      fc.constantFrom(...calls, '<', '@', '<!', 'chan', 'nel>', 'subteam^'),
      fc.string({ maxLength: 12 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let out = ''
        let held = ''
        for (const one of pieces) {
          const [ready, rest] = splitUnfinished(held + one)
          expect(rest.length).toBeLessThanOrEqual(12)
          out += escapeMentions(ready)
          held = rest
        }
        out += escapeMentions(held)
        expect(out).not.toMatch(/<(?:!(?:channel|here|everyone|subteam\^|date\^)|@[UWB]|#[CGD])/i)
        expect(out.replaceAll('\u2060', '')).toBe(pieces.join('').replaceAll('\u2060', ''))
      }),
      { examples: [[['<', '@W']], [['a<@', 'U1> <@he', 're']]] },
    )
  })
})

describe('hostile text takes no longer than other text', () => {
  staysLinear((text) => [toMrkdwn(text), measure(text), splitUnfinished(text)])
})
