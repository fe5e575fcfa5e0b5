import { expect, test } from 'vitest'
import { renderMarkdown, toPlainText } from '#adapters/web/page/log/markdown.ts'
import { growsFaster, repeated } from '#test/support/growth.ts'

/** A plain spelling of the nodes, for comparing only. An element is held apart from text by its type. */
interface Spelt {
  readonly spelling: string
}
type Piece = Spelt | string

const known = new Set([1, 2])
const spell = (piece: Piece) => (typeof piece === 'string' ? piece.replaceAll('<', '&lt;') : piece.spelling)
const element = (
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly Piece[],
): Spelt => {
  const shown = Object.entries(attributes).map(([name, value]) => ` ${name}=${value}`)
  return { spelling: `<${tag}${shown.join('')}>${children.map(spell).join('')}</${tag}>` }
}
const html = (markdown: string, formula?: (source: string, isBlock: boolean) => Spelt) =>
  renderMarkdown<Spelt>(markdown, {
    element,
    cite: (number) => (known.has(number) ? element('button', {}, [String(number)]) : undefined),
    address: (host, whole) => element('address', { title: whole }, [host]),
    codeBlock: (code, language) => element('pre', { title: language }, [code]),
    table: (children) => element('table', {}, children),
    ...(formula && { formula }),
  })
    .map(spell)
    .join('')

test('an address that was made text shows its host, other code and a name of a file stay as they are', () => {
  expect(html('See `https://portal.example/a?b=1` or `www.Example.org`.')).toBe(
    '<p>See <address title=https://portal.example/a?b=1>portal.example</address> or <address title=www.Example.org>www.example.org</address>.</p>',
  )
  expect(html('`curl https://a.example` `handbook.pdf` `https://`')).toBe(
    '<p><code>curl https://a.example</code> <code>handbook.pdf</code> <code>https://</code></p>',
  )
  expect(toPlainText('See `https://portal.example/a`.')).toBe('See https://portal.example/a.')
})

test('blocks and words keep their form', () => {
  expect(html('# Ferry\n\n**47** *minutes*')).toBe(
    '<h2 class=heading h1>Ferry</h2><p><strong>47</strong> <em>minutes</em></p>',
  )
  expect(html('1. one\n2. two\n   - deeper')).toBe('<ol><li>one</li><li>two<ul><li>deeper</li></ul></li></ol>')
  expect(html('3. three')).toBe('<ol start=3><li>three</li></ol>')
  expect(html('a\nb')).toBe('<p>a<br></br>b</p>')
  expect(html('`a<b`')).toBe('<p><code>a&lt;b</code></p>')
  expect(html('> quoted')).toBe('<blockquote><p>quoted</p></blockquote>')
})

test('code and tables come whole', () => {
  expect(html('```sh\nls\n```')).toBe('<pre title=sh>ls\n</pre>')
  expect(html('```\nstill streaming')).toBe('<pre title=>still streaming</pre>')
  expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toBe(
    '<table><thead><tr><th>a</th><th class=align-right>b</th></tr></thead>' +
      '<tbody><tr><td>1</td><td class=align-right>2</td></tr></tbody></table>',
  )
})

test('marks of known references become marks, others stay text', () => {
  expect(html('47 [1][2], 48 [1, 2]')).toBe(
    '<p><span class=joined>47 <button>1</button></span><button>2</button>, <span class=joined>48 <button>1</button><button>2</button></span></p>',
  )
  expect(html('see [3] and [1, 3] and a[0]')).toBe('<p>see [3] and [1, 3] and a[0]</p>')
  expect(html('`[1]`')).toBe('<p><code>[1]</code></p>')
})

test('raw HTML stays text', () => {
  expect(html('<img src=x onerror=alert(1)> <b>bold</b>')).toBe(
    '<p>&lt;img src=x onerror=alert(1)> &lt;b>bold&lt;/b></p>',
  )
  expect(html('<script>alert(1)</script>')).not.toContain('<script')
})

test('no image is ever loaded', () => {
  expect(html('![the plan](https://evil.example/x.png)')).toBe('<p>the plan</p>')
})

test('only http(s) links become links, and they tell nobody where they come from', () => {
  expect(html('[docs](https://example.org/a)')).toBe(
    '<p><a href=https://example.org/a target=_blank rel=noopener noreferrer nofollow>docs</a></p>',
  )
  for (const target of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/logout', 'file:///etc/passwd']) {
    expect(html(`[docs](${target})`)).not.toContain('<a')
  }
})

test('the words alone, for a screen reader, in time that grows with the text', () => {
  expect(toPlainText('# Tides\n\n**High** at `noon` [1], see [here](https://a.example).\n\n- one\n- two')).toBe(
    'Tides\nHigh at noon, see here.\none\ntwo',
  )
  for (const piece of [' ', ' .', 'a ', '\n', '| a ', '[1] '])
    expect([piece, growsFaster(toPlainText, repeated('x', piece, 'y'))]).toEqual([piece, undefined])
})

const withFormulas = (markdown: string) =>
  html(markdown, (source, isBlock) => element(isBlock ? 'display' : 'math', {}, [source]))

test.each([
  ['so $p = 0.5$, and', '<p>so <math>p = 0.5</math>, and</p>'],
  ['$a_1 * b_2 * c$ and *x*', '<p><math>a_1 * b_2 * c</math> and <em>x</em></p>'],
  [String.raw`\(\frac{1}{2}\) of it`, String.raw`<p><math>\frac{1}{2}</math> of it</p>`],
  ['so\n\\[\nE = mc^2\n\\]\nthus', '<p>so</p><display>E = mc^2</display><p>thus</p>'],
  ['$$\nx^2\n+ 1\n$$', '<display>x^2\n+ 1</display>'],
  ['it is $$x$$ here', '<p>it is <display>x</display> here</p>'],
  ['- one: $n$\n- $2^n$ [1]', '<ul><li>one: <math>n</math></li><li><math>2^n</math> <button>1</button></li></ul>'],
  [
    String.raw`$v_{\text{max}} = s/t$ and $speed = way / time$`,
    String.raw`<p><math>v_{\text{max}} = s/t</math> and <math>speed = way / time</math></p>`,
  ],
])('a formula is found: %j', (text, shown) => {
  expect(withFormulas(text)).toBe(shown)
})

test.each([
  'It costs $5 and $10.',
  'between $5-$10, $5/$6 or US$ 7',
  '$5, or US$, or A$',
  'from 5$ to 7$',
  'the $HOME of $USER, $HOME/$USER',
  '$100 (C$150) or $1,000/month, then 900$.',
  'a $20 note\nand 30$',
  'restaurants: $$ or $$$, $$–$$$, cheap $, middling $$, dear $$$',
  'echo $$ and kill $$',
  '$.50–$.75, $.50/$.60, 5 $–6$ or $-5/$-6',
  '${a}:${b}, $(a)/$(b), $?,$!, ($)/($)',
  String.raw`plan \(draft\).pdf`,
  '$$',
  '$x',
  'still $\\frac{1}{2',
])('prices, names and what is not complete stay text: %j', (text) => {
  expect(withFormulas(text)).not.toMatch(/<math|<display/)
})

test('code and brackets of names are no formula, and formulas take time that grows with the text', () => {
  expect(withFormulas('`$a = b$`')).toBe('<p><code>$a = b$</code></p>')
  expect(withFormulas(String.raw`plan \[final\_v2\].pdf \[7\]`)).toBe('<p>plan [final_v2].pdf [7]</p>')
  expect(html('$x$')).toBe('<p>$x$</p>')
  for (const piece of ['$', '$a ', '$$\n', '\\(', '\\[=', '$x$ '])
    expect([piece, growsFaster(withFormulas, repeated('x', piece, 'y'))]).toEqual([piece, undefined])
})
