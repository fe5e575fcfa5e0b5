import * as fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import { addressesIn } from '#bridge/references/addresses.ts'
import { createLinkFilter, settleLinks } from '#bridge/references/links.ts'
import { inLong } from '#test/support/forms.ts'

const nothing = () => false
const known = (...addresses: readonly string[]) => {
  const keys = addressesIn(addresses.join(' '))
  return (key: string) => keys.has(key)
}

const commonMark = new MarkdownIt({ html: true, linkify: true })
commonMark.linkify.set({ fuzzyLink: false })

/** Addresses and pictures that a reader of CommonMark with linkified text would make live. */
function liveInMarkdown(text: string): readonly string[] {
  return commonMark
    .parse(text, {})
    .flatMap((block) => block.children ?? [])
    .flatMap((token) =>
      [token.attrGet('href'), token.attrGet('src')].flatMap((one) => (one === null ? [] : [String(one)])),
    )
    .filter((address) => /^(?:[a-z][a-z0-9+.-]*:|\/\/|www\.)/i.test(address))
}

/** Discord's links in it: code first, open fences as text, then every http address and every masked link. */
function liveInDiscord(text: string): readonly string[] {
  const bare = text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/\\[^a-z0-9\s]/gi, ' ')
    .replace(/(`+)(?:[^`]|`(?!\1))*?[^`]\1(?!`)/g, ' ')
  return bare.match(/(?:https?|discord|steam):\/\/[^\s<]+|\]\(<?https?:[^)]*\)/gi) ?? []
}

/** The links that Slack and mail programs make of plain words, code left out. */
function liveInPlain(text: string): readonly string[] {
  const bare = text.replace(/```[\s\S]*?```/g, ' ').replace(/`[^`\n]+`/g, ' ')
  return bare.match(/[a-z][a-z0-9+.-]*:\/\/[^\s<>|]+|\bwww\.[^\s<>|]+|\b[\w.]+@[\w-]+\.[a-z]+/gi) ?? []
}

const live = (text: string) => [...liveInMarkdown(text), ...liveInDiscord(text), ...liveInPlain(text)]

const EVIL = 'https://evil.example/a?b=c&d'

const FORMS: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['a link', `See [the plan](${EVIL}) now.`, `See the plan (\`${EVIL}\`) now.`],
  ['a link with a title', `[plan](${EVIL} "Plan")`, `plan (\`${EVIL}\`)`],
  ['a link in angle brackets', `[plan](<${EVIL}>)`, `plan (\`${EVIL}\`)`],
  ['a picture', `![chart](${EVIL})`, `chart (\`${EVIL}\`)`],
  ['a picture in a link', `[![a](${EVIL})](${EVIL})`, `a (\`${EVIL}\`) (\`${EVIL}\`)`],
  ['a bare address', `Go to ${EVIL}.`, `Go to \`${EVIL}\`.`],
  ['an autolink', `Go to <${EVIL}>.`, `Go to \`${EVIL}\`.`],
  ['a link of Slack', `<${EVIL}|the plan>`, `the plan (\`${EVIL}\`)`],
  ['www', 'Go to www.evil.example/x, now', 'Go to `www.evil.example/x`, now'],
  ['a mail address', 'Write to eve@evil.example.', 'Write to `eve@evil.example`.'],
  ['a mail address of signs', 'Write to a@⦙.¢ or =@evil.word!', 'Write to `a@⦙.¢` or =`@evil.word`!'],
  ['a backtick as a mailbox', '`@⦙.¢', '`(@)⦙(.)¢'],
  ['mailto', '[write](mailto:eve@evil.example)', 'write (`mailto:eve@evil.example`)'],
  ['a script', '[x](javascript:alert(1))', 'x (`javascript:alert(1)`)'],
  ['a domain', 'It is on evil.com today', 'It is on `evil.com` today'],
  ['a heading', `# ${EVIL}`, `# \`${EVIL}\``],
  ['a table', `| a |\n|---|\n| ${EVIL} |`, `| a |\n|---|\n| \`${EVIL}\` |`],
  ['bold', `**${EVIL}**`, `**\`${EVIL}\`**`],
  ['a definition', `[plan][1]\n\n[1]: ${EVIL}`, `[plan][1]\n\n[1] : \`${EVIL}\``],
  ['a definition over two lines', `> [p]:\n> ${EVIL}`, `> [p] :\n> \`${EVIL}\``],
  ['an odd backtick', `a \` b ${EVIL}`, 'a ` b https(://)evil(.)example/a?b=c&d'],
  ['an escaped backtick', '\\`https://evil.example`', '\\`https(://)evil(.)example`'],
  ['a backtick behind an autolink', `<${EVIL}>\``, 'https(://)evil(.)example/a?b=c&d`'],
  ['a backtick behind a link without words', `[](${EVIL})\``, 'https(://)evil(.)example/a?b=c&d`'],
  ['an open fence', '```\ncurl https://evil.example', '```\ncurl https(://)evil(.)example'],
  ['escapes', 'https\\://evil.example', 'https\\(://)evil(.)example'],
  ['entities', 'https&#58;//evil.example', 'https&#58;`//evil.example`'],
  ['Chinese around it', '请访问https://evil.example。然后', '请访问`https://evil.example`。然后'],
  ['HTML', `<a href="${EVIL}">x</a>`, `<a href="\`${EVIL}\`">x</a>`],
  [
    'a text that names another',
    '[https://good.org](https://evil.example)',
    '`https://good.org` (`https://evil.example`)',
  ],
]

describe('a link that stands in no source', () => {
  test.each(FORMS)('%s is shown as text', (_what, text, shown) => {
    expect(settleLinks(text, nothing)).toBe(shown)
    expect(live(settleLinks(text, nothing))).toEqual([])
  })

  test.each(FORMS)('%s never flashes while it grows, cut anywhere', (_what, text) => {
    for (const size of [1, 2, 3, 7]) {
      const filter = createLinkFilter(nothing)
      let seen = ''
      for (let at = 0; at < text.length; at += size) {
        seen += filter.push(text.slice(at, at + size))
        expect(live(seen)).toEqual([])
      }
      seen += filter.end()
      expect(live(seen)).toEqual([])
    }
  })

  test('never is live in any made-up text, whole or cut anywhere', () => {
    const piece = fc.oneof(
      fc.constantFrom(...FORMS.map(([, text]) => text)),
      fc.constantFrom(
        ...'` `` ``` ~~~ \n \n\n [ ]( ) ]: ![ < > | \\ ** _ # - 1. > http https:// www. @ . / : a word 。 [1]'.split(
          ' ',
        ),
      ),
      fc.constantFrom('https://evil.example', 'www.evil.example', 'eve@evil.example', ' ', '\n', '\n```\n'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.array(fc.nat(9), { maxLength: 60 }), (pieces, sizes) => {
        const text = pieces.join('')
        const whole = settleLinks(text, nothing)
        expect({ text, whole, live: live(whole) }).toEqual({ text, whole, live: [] })
        const filter = createLinkFilter(nothing)
        let seen = ''
        let at = 0
        for (const size of [...sizes, text.length]) {
          seen += filter.push(text.slice(at, at + size))
          at += size
          expect({ text, seen, live: live(seen) }).toEqual({ text, seen, live: [] })
        }
        seen += filter.end()
        expect({ text, seen, live: live(seen) }).toEqual({ text, seen, live: [] })
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a link that was read', () => {
  const is = known('https://good.org/plan_(b)', 'ana@good.org', 'www.good.org', 'intra.good.org/wiki')
  test.each([
    'See [the plan](https://good.org/plan_(b)) now.',
    'https://good.org/plan_(b), and <https://good.org/plan_(b)>.',
    'Write to ana@good.org or [Ana](mailto:ana@good.org).',
    'On www.good.org or intra.good.org/wiki.',
    'In `https://evil.example` code stays code.',
    '```sh\ncurl https://evil.example\n```\nDone.',
  ])('%j stays as it is', (text) => {
    expect(settleLinks(text, is)).toBe(text)
  })

  test('gives nothing to an address that only begins like it, or is only the beginning of it', () => {
    const one = known('https://good.org.uk/plan')
    expect(settleLinks('https://good.org https://good.org.uk/plan/b', one)).toBe(
      '`https://good.org` `https://good.org.uk/plan/b`',
    )
  })

  test('does not lend its name to another', () => {
    expect(settleLinks('[https://other.org](https://good.org/plan_(b))', is)).toBe(
      '`https://other.org` (<https://good.org/plan_(b)>)',
    )
  })

  test('is no picture', () => {
    expect(settleLinks('![chart](https://good.org/plan_(b))', is)).toBe('chart (<https://good.org/plan_(b)>)')
  })
})

test('a text without addresses goes through as it is, cut anywhere', () => {
  const word = fc.constantFrom(
    ...'The plan, [1] and [2]. `code` **bold** | a | b | - item 1. 9:40 handbook.md ask.ts 3.5/4 z.B. i.e. «ja» 计划。 \n \n\n ```\n # H'.split(
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), fc.array(fc.nat(6), { maxLength: 40 }), (words, sizes) => {
      const text = words.join(' ')
      const filter = createLinkFilter(nothing)
      let seen = ''
      let at = 0
      for (const size of [...sizes, text.length]) {
        seen += filter.push(text.slice(at, at + size))
        at += size
      }
      expect(seen + filter.end()).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

/** The text as people read it: without what makes an address in it safe. */
const read = (text: string) => text.replace(/[`()]/g, '')

function filtered(text: string, size: number): { readonly shown: string; readonly steps: number } {
  let steps = 0
  const filter = createLinkFilter(nothing, false, (characters) => {
    steps += characters
  })
  let shown = ''
  for (let at = 0; at < text.length; at += size) shown += filter.push(text.slice(at, at + size))
  return { shown: shown + filter.end(), steps }
}

const LONG = 20_000
const grown = (prefix: string, piece: string, suffix: string) =>
  prefix + piece.repeat(Math.ceil(LONG / piece.length)) + suffix

describe('a text of 20,000 characters', () => {
  const part = fc.constantFrom(
    ...'` `` ``` ~~~ \n [ ]( ) ]: ![ < > | \\ ** # - 1. > https:// www. @ . / : a word 。 计 & &#58; ! ( \t'.split(' '),
    ' ',
    '\n```\n',
    EVIL,
    `[a](${EVIL})`,
    `<${EVIL}|b>`,
    'evil.com,',
  )
  const text = fc
    .tuple(part, fc.array(part, { minLength: 1, maxLength: 3 }), part)
    .map(([prefix, pieces, suffix]) => grown(prefix, pieces.join(''), suffix))

  test('is the same in one piece and in 20,000, at no more than three times the steps', inLong, () => {
    fc.assert(
      fc.property(text, (made) => {
        const [whole, cut] = [filtered(made, made.length), filtered(made, 1)]
        expect(read(cut.shown)).toBe(read(whole.shown))
        expect(cut.steps).toBeLessThanOrEqual(3 * whole.steps)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['a word', 'a'],
    ['words', 'words of a text, '],
    ['digits', '1'],
    ['backticks', '`'],
    ['quotation marks', '>'],
    ['blanks', ' '],
    ['full stops behind an address', '.'],
    ['Chinese', '计划'],
    ['a fence', 'x = 1\n'],
    ['addresses', `${EVIL} `],
  ])('is read a few times: %s', (what, piece) => {
    const prefix = what === 'a fence' ? '```\n' : what.startsWith('full') ? EVIL : ''
    for (const size of [1, LONG * 2]) expect(filtered(grown(prefix, piece, 'x'), size).steps).toBeLessThan(4 * LONG)
  })
})

describe('a word that is too long to be waited for', () => {
  test.each(['https://good.org/', '(((', 'word'])('breaks every address: %s', (begin) => {
    const text = `${begin}${'('.repeat(3990 - begin.length)}https://evil.internal/x?y https://good.org/`
    const is = known('https://good.org/')
    for (const size of [1, 7, text.length]) {
      const filter = createLinkFilter(is)
      let seen = ''
      for (let at = 0; at < text.length; at += size) seen += filter.push(text.slice(at, at + size))
      seen += filter.end()
      expect(live(seen.slice(0, -' https://good.org/'.length))).toEqual([])
      expect(seen.endsWith(' https://good.org/')).toBe(true)
    }
  })
})
