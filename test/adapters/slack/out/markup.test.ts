import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeMentions, measure, splitUnfinished, toMrkdwn } from '../../../../adapters/slack/out/markup.ts'
import { staysLinear } from '../../hostile-text.ts'

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
    )
  })
})

describe('hostile text takes no longer than other text', () => {
  staysLinear((text) => [toMrkdwn(text), measure(text), splitUnfinished(text)])
})
