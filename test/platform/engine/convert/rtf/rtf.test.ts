import { describe, expect, it } from 'vitest'
import { toSource } from '#test/fixtures/documents/source.ts'
import { readRtf } from '#platform/engine/convert/rtf/rtf.ts'

async function convert(body: string, head = '\\ansi\\ansicpg1252') {
  const bytes = Buffer.from(`{\\rtf1${head} ${body}}`, 'latin1')
  const [part] = await readRtf(toSource(bytes, { limits: { pictureBytes: 1e6 } }))
  return part?.markdown
}

const level = (format: number, text: string, start = 1) =>
  `{\\listlevel\\levelnfc${format}\\levelstartat${start}{\\leveltext ${text};}{\\levelnumbers\\'01;}}`
const list = (id: number, ...levels: readonly string[]) => `{\\list${levels.join('')}\\listid${id}}`
const use = (id: number, at: number) => `{\\listoverride\\listid${id}\\ls${at}}`
const item = (at: number, text: string, deep = 0) => `\\pard\\ls${at}\\ilvl${deep} ${text}\\par`

describe('readRtf', () => {
  it.each([
    ["Stra\\'dfe \\u28783?\\u21488?\\par", 'Straße 灯台'],
    ["{\\uc2\\u228\\'c3\\'a4}x\\par", 'äx'],
    ['a\\constructor  b\\toString  c\\par', 'a b c'],
    ['{\\pntext (a)\\tab}pay\\par{\\listtext (b)\\tab}tell\\par', '- (a) pay\n- (b) tell'],
    ['{\\stylesheet{\\s3 heading 1;}}\\s3{\\listtext Article II\\tab}Fees\\par', '# Article II Fees'],
    ["{\\fonttbl{\\f1\\fcharset2 Symbol;}{\\f2\\fcharset2 Wingdings;}}{\\f1 a\\u-3999\\'61} {\\f2\\'fc}\\par", 'αα ✓'],
    ['a {\\b bold} and {\\i it}\\par next', 'a **bold** and *it*\n\nnext'],
    ['{\\*\\unknown hidden}{\\info{\\author X}}seen{\\v unseen}\\par', 'seen'],
    ['{\\field{\\*\\fldinst HYPERLINK "https://example.org/x"}{\\fldrslt link}}\\par', '[link](https://example.org/x)'],
    ['{\\pard\\outlinelevel1 Title\\par}{\\pard text\\par}', '## Title\n\ntext'],
    ['{\\stylesheet{\\s3 heading 3;}}\\pard\\s3 Deep\\par\\pard text\\par', '### Deep\n\ntext'],
    ['\\pard\\ls1\\ilvl0 a\\par\\ilvl1 b\\par\\ilvl0 c\\par\\pard end\\par', '- a\n  - b\n- c\n\nend'],
    [
      '\\trowd\\intbl a|b\\cell c\\par d\\cell\\row\\trowd\\intbl e\\cell f\\cell\\row\\pard after\\par',
      '| a\\|b | c<br>d |\n| --- | --- |\n| e | f |\n\nafter',
    ],
    [
      '{\\stylesheet{\\s3 heading 3;}}\\pard\\s3{\\listtext\\pard\\plain \\tab}\\ls1 Deep{\\footnote\\pard\\s9 n}\\par\\pard text\\par',
      '### Deep[^1]\n\ntext\n\n[^1]: n',
    ],
    ['{\\stylesheet{\\s7 Title;}}\\pard\\s7 The book\\par\\pard text\\par', '# The book\n\ntext'],
    ['kept{\\deleted gone}{\\revised  new}\\par', 'kept new'],
    [
      '\\pard\\ls1{\\listtext 2.\\tab}b\\par\\pard between\\par\\pard\\ls1{\\listtext 3.\\tab}c\\par{\\listtext 4.\\tab}d\\par',
      '2. b\n\nbetween\n\n3. c\n4. d',
    ],
    [
      '\\trowd\\cellx1\\cellx2\\pard\\intbl Team\\cell Person\\cell\\row\\trowd\\clvmgf\\cellx1\\cellx2\\intbl Red\\cell Ada\\cell\\row\\trowd\\clvmrg\\cellx1\\cellx2\\intbl\\cell Ben\\cell\\row\\pard after\\par',
      '| Team | Person |\n| --- | --- |\n| Red | Ada |\n| Red | Ben |\n\nafter',
    ],
    [
      'Class: {\\field{\\*\\fldinst {FORMDROPDOWN {\\*\\formfield{\\fftype2\\ffres1{\\*\\ffname D}{\\*\\ffl Gold}{\\*\\ffl Silver}}}}}{\\fldrslt }}, {\\field{\\*\\fldinst {FORMCHECKBOX {\\*\\formfield{\\fftype1\\ffres25\\ffdefres1}}}}{\\fldrslt }} agreed\\par',
      'Class: Silver, [x] agreed',
    ],
    ['text{\\footnote the note}\\par', 'text[^1]\n\n[^1]: the note'],
    [
      'Due{\\*\\atnid LM}{\\*\\atnauthor Lena}\\chatn{\\*\\annotation\\pard Raise it.} now\\par',
      'Due[^1] now\n\n[^1]: Comment: Raise it.',
    ],
    [
      '{\\header Internal\\par}{\\footer Page {\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}\\par}Body\\par\\sect{\\header Internal\\par}More\\par',
      'Body\n\nMore\n\n## Head and foot\n\nInternal\n\nPage 1',
    ],
    [
      'The boat {\\shp{\\*\\shpinst\\shpleft0{\\sp{\\sn a}{\\sv 1}}{\\shptxt Call 4417.\\par At night.\\par}}{\\shprslt{\\*\\do{\\dptxbxtext Call 4417.}}}}leaves.\\par end\\par',
      'The boat leaves.\n\nCall 4417.\nAt night.\n\nend',
    ],
    ['{\\*\\do\\dobxpage{\\dptxbx{\\dptxbxtext Old box\\par}}}a\\par', 'a\n\nOld box'],
    [
      '\\trowd\\intbl a{\\shp{\\*\\shpinst{\\shptxt box\\par}}}\\cell b\\cell\\row\\pard after\\par',
      '| box<br>a | b |\n| --- | --- |\n\nafter',
    ],
    ['{\\fonttbl{\\f0 Arial;}{\\f3\\fcharset2 Symbol;}}angle {\\f3 a} and {\\f3 W}\\par', 'angle α and Ω'],
    ['brace \\{x\\} and \\\\ slash\\par', 'brace {x} and \\ slash'],
    ['{\\pict\\pngblip 00ff}{\\bin3 xyz}x\\par', 'x'],
  ])('reads %s', async (body, markdown) => {
    expect(await convert(body)).toBe(markdown)
  })

  it('numbers paragraphs by the lists that the document declares, where it stores no numbers', async () => {
    const clauses = list(7, level(4, "\\'02\\'00)"), level(0, "\\'03\\'00.\\'01", 4))
    const tables =
      `{\\*\\listtable${clauses}${list(8, level(23, "\\'01\\'b7"))}${list(9, level(0, "\\'02\\'00."))}}` +
      `{\\*\\listoverridetable${use(7, 1)}${use(8, 2)}${use(9, 3)}}`
    const clause = [item(1, 'pay'), item(1, 'clean'), item(1, 'daily', 1), item(1, 'tell')].join('')
    expect(await convert(`${tables}${clause}\\pard end\\par`)).toBe(
      '- a) pay\n- b) clean\n  - b.4 daily\n- c) tell\n\nend',
    )
    expect(await convert(`${tables}${item(2, 'dot')}${item(2, 'dot')}`)).toBe('- dot\n- dot')
    expect(await convert(`${tables}${item(3, 'one')}${item(3, 'two')}`)).toBe('1. one\n2. two')
  })

  it('reads text in the encoding of its font', async () => {
    const fonts = '{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Cyr;}{\\f2\\fcharset128 Mincho;}}'
    expect(await convert(`${fonts}\\f1 \\'e4\\'e0 \\f2 \\'93\\'87\\'91\\'e4\\par`)).toBe('да 島台')
  })

  it('takes the deepest nesting and unbalanced ends', async () => {
    expect(await convert('{'.repeat(100_000))).toBe('')
    expect(await convert(`a${'}'.repeat(1000)}b`)).toContain('a')
  })

  it.each([
    ['\\ansi\\ansicpg850', "\\'99ffnung"],
    ['\\pca', "\\'99ffnung"],
    ['\\pc', "\\'99ffnung"],
    ['\\mac', "\\'85ffnung"],
    ['\\ansi\\ansicpg99999', "\\'d6ffnung"],
  ])('reads the bytes of %s', async (head, body) => {
    expect(await convert(`${body}\\par`, head)).toBe('Öffnung')
  })
})
