import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  escapeMentions,
  measure,
  mentionsOthers,
  splitUnfinished,
  toMarkdown,
  toMrkdwn,
} from '../../../../adapters/slack/out/markup.ts'
import { staysLinear } from '../../hostile-text.ts'

const own = 'U0BOT'
const read = (text: string, names: [string, string][] = []) => toMarkdown(text, own, new Map(names))

describe('what people write', () => {
  test.each([
    ['<@U0BOT> how long?', 'how long?'],
    ['ask <@U0BOT|footbridge> about it', 'ask about it'],
    ['<@U1ADA> said so', '@Ada said so'],
    ['<@U9|grace> said so', '@grace said so'],
    ['see <#C1|ferry> and <#C2>', 'see #ferry and #C2'],
    ['<!here> and <!subteam^S1|@crew>', '@here and @crew'],
    ['on <!date^1392734382^{date}|Feb 18>', 'on Feb 18'],
    ['<https://a.example/x?y=1&amp;z=2|the page>', '[the page](https://a.example/x?y=1&z=2)'],
    ['<https://a.example>', 'https://a.example'],
    ['<http://a.example|a.example>', 'http://a.example'],
    ['<mailto:ada@a.example|ada@a.example>', 'ada@a.example'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['&amp;lt; stays', '&lt; stays'],
    ['*bold* and ~gone~ and _slanted_', '**bold** and ~~gone~~ and _slanted_'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['• one\n• two', '- one\n- two'],
    ['`a *b* <http://c.example>`', '`a *b* http://c.example`'],
    ['```x &lt; *y*```', '```x < *y*```'],
    ['<@U0BOT>', ''],
  ])('%s reads as %s', (slack, markdown) => {
    expect(read(slack, [['U1ADA', 'Ada']])).toBe(markdown)
  })

  test('a mention of somebody else, of a group or of everyone is noticed, ours is not', () => {
    expect(mentionsOthers('<@U0BOT> hello', own)).toBe(false)
    for (const text of ['<@U1> hello', '<@W1|w>', '<!subteam^S1>', '<!here>', '<!channel|@channel>'])
      expect(mentionsOthers(text, own)).toBe(true)
  })
})

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
  staysLinear((text) => [
    read(text),
    mentionsOthers(text, own),
    toMrkdwn(text),
    measure(text),
    splitUnfinished(text),
  ])
})
