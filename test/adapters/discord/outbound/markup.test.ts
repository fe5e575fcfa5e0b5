import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMeter, measure, toDiscord } from '#adapters/discord/outbound/markup.ts'
import stringWidth from 'string-width'
import { escapeText } from '#adapters/discord/outbound/inline.ts'
import { splitMarkdown } from '#bridge/delivery/split.ts'

import { staysLinear } from '#test/adapters/hostile-text.ts'

const zeroWidth = '\u200B'
const lines = (...parts: string[]) => parts.join('\n')

test('what both understand stays as it is', () => {
  const text = lines(
    '# One',
    '',
    '**bold** *it* _it_ ~~gone~~ `code` [1] [2, 3]',
    '',
    '- a',
    '  - b',
    '1. c',
    '> quote',
  )
  expect(toDiscord(text)).toBe(text)
})

describe('blocks', () => {
  test.each([
    ['a heading deeper than three is bold', '#### Deep **er**', '**Deep er**'],
    ['closing marks of a heading go', '## Two ##', '## Two'],
    ['an underlined heading becomes a marked one', 'Title\n===\n\nSub\n---', '# Title\n\n## Sub'],
    ['a rule is drawn', 'a\n\n***\n\nb', `a\n\n${'─'.repeat(12)}\n\nb`],
    ['a plus list uses dashes', '+ a\n+ b', '- a\n- b'],
    ['tasks show boxes', '- [ ] open\n- [x] done', '- ☐ open\n- ☑ done'],
    [
      'levels of four blanks are of two: Discord would go one deeper',
      '* a\n    * b\n    * c\n* d',
      '* a\n  * b\n  * c\n* d',
    ],
    ['levels of tabs are, too', '- a\n\t- b\n\t\t- c\n\t  more', '- a\n  - b\n    - c\n      more'],
    [
      'levels of a numbered list are of two, and its lines follow them',
      '1. **one**\n   * x\n     more of x\n2. two\n      - deep\n          - deeper\n\n   end of two\n\nafter\n    - code',
      '1. **one**\n  * x\n    more of x\n2. two\n  - deep\n    - deeper\n\n   end of two\n\nafter\n    - code',
    ],
    ['nested quotes are one deep', '> > a\n>>> b', '> a\n> b'],
    [
      'a table in a quotation is aligned, too',
      '> # Times\n> | ship | at |\n> | - | - |\n> | ferry | 9 |\n> end\nx',
      '> # Times\n```\nship  │ at\n──────┼────\nferry │ 9\n```\n> end\nx',
    ],
    [
      'a wide table in a quotation is a quoted list',
      `> | a | b |\n> | - | - |\n> | ${'w'.repeat(80)} | c |`,
      `> - **a:** ${'w'.repeat(80)}\n>   **b:** c`,
    ],
    ['small print is not made by accident', '-# note', '\\-# note'],
    ['hard breaks leave no marks', 'a  \nb\\\nc', 'a\nb\nc'],
    ['blank lines are not piled up', 'a\n\n\n\nb', 'a\n\nb'],
    ['line ends of Windows are read', 'a\r\nb', 'a\nb'],
  ])('%s', (_name, from, to) => expect(toDiscord(from)).toBe(to))
})

describe('fences within a fence', () => {
  test('a file of markdown is one block, and what follows it is prose', async () => {
    const report = await readFile(new URL('../../../reports/chat/discord-nested-fence.md', import.meta.url), 'utf8')
    const answer = report.slice(0, report.indexOf('<!--'))
    const [before, block, after] = toDiscord(answer).split(/^```(?:markdown)?$/m)
    expect([before, after]).toEqual(['Here is the file:\n\n', '\n\nThat is all. **Bold end**.'])
    expect(block).toContain(`\`\`${zeroWidth}\`sh\nnpm ci`)
    expect(block).toContain('Then **start** it.')
  })

  test('fences that do not pair up end as CommonMark says', () => {
    const text = lines('```markdown', '```sh', 'npm ci', '```', 'prose')
    expect(toDiscord(text)).toBe(lines('```markdown', `\`\`${zeroWidth}\`sh`, 'npm ci', '```', 'prose'))
  })

  test('a block of another language has no blocks of its own', () => {
    const text = lines('```js', 'const a = `', '```', 'prose', '```', 'b', '```')
    expect(toDiscord(text)).toBe(text)
  })

  test('the underscores of the report are shown as written', async () => {
    const report = await readFile(new URL('../../../reports/chat/discord-underscores.md', import.meta.url), 'utf8')
    const shown = toDiscord(report.slice(0, report.indexOf('<!--')))
    // An underscore that Discord could pair is escaped; the address keeps its own.
    expect(shown.replaceAll(/<[^>]*>/g, '').match(/(?<!\\)_/g)).toBeNull()
    expect(shown).toContain('<https://example.org/people/gimmick_/>')
  })
})

describe('inline', () => {
  test.each([
    ['a masked link shows where it leads', '[docs](https://a.example/x "t")', 'docs (<https://a.example/x>)'],
    ['a link that is its own label stands once', '[https://a.example](https://a.example)', '<https://a.example>'],
    ['brackets inside an address belong to it', '[w](https://a.example/x_(y))', 'w (<https://a.example/x_(y)>)'],
    ['other schemes are not linked', '[click](javascript:alert(1))', 'click'],
    ['an image leaves its words', 'see ![the plan](https://evil.example/p.png?d=1).', 'see the plan.'],
    ['a reference image too', '![the plan][p]', 'the plan'],
    [
      'double underscores are bold, not underlined',
      '__bold__ snake__case__name',
      String.raw`**bold** snake\_\_case\_\_name`,
    ],
    ['three underscores are both', '___both___ and _it_', '**_both_** and _it_'],
    [
      'underscores within words and formulas make no italics',
      String.raw`$\sum_{i=1}^{n} x_{i}$ set rate_limit_ (not burst_) _now_`,
      String.raw`$\sum\_{i=1}^{n} x\_{i}$ set rate\_limit\_ (not burst\_) _now_`,
    ],
    [
      'underscores of an address stay',
      'see https://a.example/__init__/x_y_z and <https://a.example/people/gimmick_/>',
      'see https://a.example/__init__/x_y_z and <https://a.example/people/gimmick_/>',
    ],
    ['a product is not slanted', '2*3*4 and f(x)*g(y)*2', String.raw`2\*3\*4 and f(x)\*g(y)\*2`],
    ['nor a power bold', 'x**2 + y**2', String.raw`x\*\*2 + y\*\*2`],
    ['a product may stand in bold', '**2*3*4** is *24*', String.raw`**2\*3\*4** is *24*`],
    ['a power of names and brackets neither', 'n**k + f(x)**n', String.raw`n\*\*k + f(x)\*\*n`],
    [
      'bold may begin within a word',
      'Haupt**bahnhof** und **Gleis 3**, Vitamin**B12** und **täglich**',
      'Haupt**bahnhof** und **Gleis 3**, Vitamin**B12** und **täglich**',
    ],
    [
      'bold may begin after a bracket or be one letter of a word',
      '(neu)**wichtig** und Vitamin**C**',
      '(neu)**wichtig** und Vitamin**C**',
    ],
    [
      'marks that close nothing make nothing after them bold',
      '5**mg** am Tag, **täglich**; Haupt*bahnhof* und *Gleis*',
      String.raw`5\*\*mg\*\* am Tag, **täglich**; Haupt\*bahnhof\* und *Gleis*`,
    ],
    ['bold may end within a word', '**R**etrieval **A**ugmented', '**R**etrieval **A**ugmented'],
    [
      'a name of code keeps its underscores',
      'see __init__.py, __main__() and app.__class__',
      String.raw`see \_\_init\_\_.py, \_\_main\_\_() and app.\_\_class\_\_`,
    ],
    [
      'an address in italics ends before their mark',
      '_https://a.example/a_b_ and (_see https://a.example/c_)',
      '*https://a.example/a_b* and (_see https://a.example/c_)',
    ],
    ['code in italics has its own underscores', '_see `a_b` now_', '*see `a_b` now*'],
    ['bars hide nothing', 'a || b || c', 'a \\|\\| b \\|\\| c'],
    ['code in a label stays code', '[`a`](https://a.example)', '`a` (<https://a.example>)'],
    ['an escaped bracket opens nothing', String.raw`\[a](https://a.example)`, String.raw`\[a](https://a.example)`],
    [
      'a link inside a label shows where both lead',
      '[a [b](https://b.example)](https://a.example)',
      'a b (<https://b.example>) (<https://a.example>)',
    ],
    ['entities are read', 'a &amp; b &lt; c&nbsp;d', 'a & b < c d'],
    ['code spans stay', '`a || b` and `@everyone`', '`a || b` and `@everyone`'],
    ['everyone is not called', '@everyone @here', `@${zeroWidth}everyone @${zeroWidth}here`],
    ['nor by way of an entity', '&lt;@123&gt;', `<${zeroWidth}@123>`],
    [
      'ids are not understood',
      '<@1> <@!2> <@&3> <#4>',
      '1 2 3 4'.replaceAll(/(\d)/g, (id) => {
        const mark = { 1: '@', 2: '@!', 3: '@&', 4: '#' }[id] ?? ''
        return `<${zeroWidth}${mark}${id}>`
      }),
    ],
    ['an address in brackets stays', '<https://a.example>', '<https://a.example>'],
  ])('%s', (_name, from, to) => expect(toDiscord(from)).toBe(to))
})

describe('code blocks', () => {
  test.each([
    ['stay as they are', '```ts\nconst a = 1 // @everyone ||\n```', '```ts\nconst a = 1 // @everyone ||\n```'],
    ['of an item begin below its number', '1. ```py\n   a\n   ```\n2. next', '1.\n```py\na\n```\n2. next'],
    ['of an item need no mark', '- ~~~\n    a\n  ~~~\n- next', '```\n  a\n```\n- next'],
    ['of tildes get backticks', '~~~\na\n~~~', '```\na\n```'],
    ['that are unfinished are closed', 'text\n```js\nlet a', 'text\n```js\nlet a\n```'],
    ['lose a language name that Discord would print', '```{.python title="x"}\na\n```', '```\na\n```'],
    ['keep their indentation relative to the fence', '  ```\n  a\n    b\n  ```', '```\na\n  b\n```'],
    [
      'that hold backticks are not ended by them',
      '````md\n```\ninner\n```\n````',
      `\`\`\`md\n\`\`${zeroWidth}\`\ninner\n\`\`${zeroWidth}\`\n\`\`\``,
    ],
    [
      'keep what looks like a table or a heading',
      '```\n| a | b |\n|---|---|\n#### x\n```',
      '```\n| a | b |\n|---|---|\n#### x\n```',
    ],
  ])('%s', (_name, from, to) => expect(toDiscord(from)).toBe(to))
})

describe('tables', () => {
  test('a table is an aligned code block', () => {
    const table = lines('| Route | Fare |', '|:------|-----:|', '| **A** to B | 4 |', '| C | 12,50 |')
    expect(toDiscord(`before\n\n${table}\n\nafter`)).toBe(
      lines(
        'before',
        '',
        '```',
        'Route  │  Fare',
        '───────┼──────',
        'A to B │     4',
        'C      │ 12,50',
        '```',
        '',
        'after',
      ),
    )
  })

  test('columns line up also with Chinese characters and emoji', () => {
    const shown = toDiscord(lines('| 名前 | n |', '|---|---|', '| 東京都 | 1 |', '| ab | 2 |', '| 🚢 | 3 |'))
    const rows = shown.split('\n').slice(1, -1)
    const bars = rows.map((row) => stringWidth(row.slice(0, row.search(/[│┼]/))))
    expect(new Set(bars).size).toBe(1)
  })

  test('cells that are missing, escaped bars, links and line breaks are read', () => {
    const shown = toDiscord(lines('a | b', '--|--', 'x \\| y<br>z | [l](https://a.example)', 'only'))
    expect(shown).toContain('x | y z │ l (<https://a.example>)')
  })

  test('products, powers, names of code and addresses in cells lose no character', () => {
    const cells = '| 2*3*4 | x**2 + y**2 | __init__.py | https://a.example/__init__/x |'
    const shown = toDiscord(lines('| a | b | c | d |', '|---|---|---|---|', cells))
    expect(shown).toContain('2*3*4 │ x**2 + y**2 │ __init__.py │ https://a.example/__init__/x')
  })

  test('centred cells stand in the middle', () => {
    expect(toDiscord(lines('| a | b |', '|:-:|---|', '| wide cell | c |', '| x | d |'))).toContain('    x     │ d')
  })

  test('a table too wide for a code block becomes a list of records', () => {
    const long = 'many words '.repeat(12).trim()
    expect(toDiscord(lines('| Name | Text |', '|---|---|', `| A | ${long} |`, '| B | |'))).toBe(
      lines(`- **Name:** A`, `  **Text:** ${long}`, '- **Name:** B'),
    )
  })

  test('bars alone make no table', () => {
    expect(toDiscord('a | b\nc | d')).toBe('a | b\nc | d')
  })
})

test('what is measured is what is sent', () => {
  const table = lines('| a | b |', '|---|---|', `| ${'x'.repeat(40)} | 1 |`, '| y | 2 |', '| z | 3 |')
  for (const text of ['plain', '@everyone', table, '```\nunclosed']) expect(measure(text)).toBe(toDiscord(text).length)
  expect(measure(table)).toBeGreaterThan(table.length)
})

test('whatever a long answer is made of, each of its parts fits into a message', () => {
  const word = fc.constantFrom(
    'ferry',
    'a||b',
    '__bold__',
    '`code`',
    '@everyone',
    '<@123>',
    '&amp;',
    '東京',
    '🚢',
    '[1]',
    `[docs](https://example.org/${'x'.repeat(150)})`,
    `![plan](${'y'.repeat(250)})`,
  )
  const words = fc.array(word, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(' '))
  const row = fc.array(fc.constantFrom('a', 'cell text', 'x'.repeat(70), '東京都'), { minLength: 3, maxLength: 3 })
  const table = fc
    .array(row, { minLength: 1, maxLength: 60 })
    .map((rows) => rows.map((cells) => `| ${cells.join(' | ')} |`))
    .map(([head = '', ...body]) => [head, '|---|:-:|--:|', ...body].join('\n'))
  const code = fc.array(word, { maxLength: 80 }).map((parts) => `\`\`\`ts\n${parts.join('\n')}\n\`\`\``)
  const answer = fc
    .array(fc.oneof(words, table, code), { minLength: 3, maxLength: 12 })
    .map((parts) => parts.join('\n\n'))
  fc.assert(
    fc.property(answer, (text) => {
      for (const part of splitMarkdown(text, { limit: 2000, measure })) {
        expect(measure(part)).toBeLessThanOrEqual(2000)
      }
    }),
    { numRuns: 40, seed: 7 },
  )
})

test('a text grows line by line without ever showing a broken block', () => {
  const text = lines('Intro', '', '| a | b |', '|---|---|', '| 1 | 2 |', '', '```js', 'let a = 1', '```', 'end')
  for (let length = 0; length <= text.length; length += 1) {
    const fences = toDiscord(text.slice(0, length)).match(/^```/gm) ?? []
    expect(fences.length % 2).toBe(0)
  }
})

describe('hostile text takes no longer than other text', () => {
  staysLinear((text) => toDiscord(text) + escapeText(text))
})

describe('the length of a text that grows', () => {
  const part = fc.constantFrom(
    ...'word,\n,\n\n,---,***,===,# ,#### Deep,-# ,+ ,- [ ] ,> > ,@everyone,<@1>,<#1>,[a](https://b.de),![a](b),[,](c),\\,  \n,'
      .concat('&amp;,<br>,<https://a.de>,__a__,_,*,`,```\n,~~~\n,|a|b|\n,|---|---|\n,東京')
      .split(','),
  )

  test('is never too low, and exact once it is over the limit', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 400 }), (parts) => {
        const meter = createMeter()
        let text = ''
        for (const [index, piece] of parts.entries()) {
          text += piece
          const length = meter.add(piece)
          if (index % 7 > 0 && length <= 2000) continue
          const exact = measure(text)
          expect(length).toBeGreaterThanOrEqual(exact)
          expect(length <= 2000 || length === exact).toBe(true)
        }
      }),
    )
  })

  test('takes a few looks at each character of a message', () => {
    let looks = 0
    const meter = createMeter((characters) => (looks += characters))
    for (let at = 0; at < 1900; at += 1) meter.add('a')
    expect(looks).toBeLessThan(40 * 1900)
  })
})
