import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createThoughts, type Habit } from '#platform/client/thoughts.ts'
import { formatReferences } from '#platform/wire/references.ts'
import { THINKING } from '#test/doubles/upstream/thinking.ts'

interface Read {
  readonly text: string
  readonly thought: string
  /** All that was ever passed on as text. */
  readonly shown: string
}

function read(pieces: readonly string[], habit: Habit = {}, model = 'm'): Read {
  const thoughts = createThoughts(model, habit)
  const all = { text: '', thought: '', shown: '' }
  const add = (sorted: ReturnType<typeof thoughts.push>) => {
    for (const one of sorted) {
      if (one.retracts) all.text = ''
      all.text += one.text
      all.shown += one.text
      all.thought += one.thought
    }
  }
  for (const piece of pieces) add(thoughts.push(piece))
  add(thoughts.end())
  return all
}

const ANSWER = 'The period is **7** [RREF1].'
const BLOCK = formatReferences([{ file: 'a.md', distance: 0.1, body: 'Models end with </think> and go on.' }])
const lettersOf = (text: string) => Array.from(text)
const bare = (thought: string) => `${thought}\n</think>\n\n${ANSWER}${BLOCK}`
const FENCE = '```'

/** Every place where the text can be cut in two, and every character alone. */
const cuts = (whole: string): readonly (readonly string[])[] => [
  ...Array.from({ length: whole.length + 1 }, (_, at) => [whole.slice(0, at), whole.slice(at)]),
  lettersOf(whole),
]

describe.each(THINKING)('thinking between %s and %s', (open, close) => {
  test('is taken out, wherever the text is cut', () => {
    const whole = `\n${open}\nSECRET < 3 and \`${close}\` and [1].\n${close}\n\n${ANSWER}${BLOCK}`
    for (const pieces of cuts(whole)) {
      const { text, thought, shown } = read(pieces)
      expect(text).toBe(`${ANSWER}${BLOCK}`)
      expect(shown).not.toContain('SECRET')
      expect(thought).toContain('SECRET')
    }
  })

  test('may be empty, or come twice', () => {
    expect(read([`${open}${close}${ANSWER}`]).text).toBe(ANSWER)
    expect(read([`${open}\n\n${close}\n\n${open}SECRET${close}\n${ANSWER}`]).text).toBe(ANSWER)
  })

  test('that never ends is an answer of nothing, also with a block that talks about tags', () => {
    for (const pieces of cuts(`${open}SECRET goes on`)) expect(read(pieces)).toMatchObject({ text: '', shown: '' })
    expect(read([`${open}SECRET goes on`, BLOCK])).toMatchObject({ text: '', shown: '' })
    expect(read([`${open}SECRET goes on`, ...lettersOf(BLOCK)])).toMatchObject({ text: '', shown: '' })
  })
})

test.each([
  ['the special tokens are lost', `analysisWe need SECRET.assistantcommentarySECRETassistantfinal${ANSWER}`],
  [
    'harmony in three channels',
    `<|start|>assistant<|channel|>analysis<|message|>SECRET<|end|><|start|>assistant<|channel|>commentary<|message|>SECRET<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
  ],
  ['the answer alone has a header', `<|channel|>final<|message|>${ANSWER}`],
  ['the answer is wrapped', `<think>SECRET</think>\n<answer>\n${ANSWER}\n</answer>`],
  ['the template begins the turn', `<|assistant|><think>SECRET</think>${ANSWER}`],
  ['the template of ChatML does', `<|im_start|>assistant\n<think>SECRET</think>\n${ANSWER}`],
  ['Command A wraps both', `<|START_THINKING|>SECRET<|END_THINKING|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`],
])('thinking is taken out, and what stands around the answer: %s', (_, whole) => {
  for (const end of ['', BLOCK])
    for (const pieces of cuts(whole + end)) {
      const { text, shown } = read(pieces)
      expect(text.trim().replace(/\n+(?=-{20})/, '\n')).toBe(ANSWER + end.trimEnd())
      expect(shown).not.toContain('SECRET')
    }
})

describe('thinking in the middle of an answer', () => {
  const [before, after] = ['First words.', 'The period is **7** [RREF1].']
  const whole = `${before}\n\n${after}${BLOCK}`

  test.each(['<think>', '<thinking>', '[THINK]', '◁think▷', '<seed:think>'])(
    'is taken out where %s begins a line, wherever the text is cut',
    (open) => {
      const close = open.replace(/^([<[◁])/, '$1/')
      for (const gap of ['\n', '\n\n'])
        for (const pieces of cuts(`${before}${gap}${open}\nSECRET goes on\n${close}${gap}${after}${BLOCK}`)) {
          const { text, shown, thought } = read(pieces, { manner: 'plain' })
          expect(text).toBe(whole)
          expect(shown).not.toContain('SECRET')
          expect(thought).toContain('SECRET')
        }
    },
  )

  test.each([
    'Models write <think>some words</think> first.',
    `The form:\n${FENCE}\n<think>\nsome words here\n</think>\n${FENCE}\nThat is all.`,
    'The form is\n<think>…</think>\nand no other.',
    'A tag is never closed:\n<think>\nThese words stay.',
    'A tag alone:\n<think>',
    'The tags:\n<think> begins to think,\n`</think>` ends it.\nThat is all.',
    'The tags:\n<think>\nbegins to think. It ends with </think> at the end.\nThat is all.',
    'Code of Markdown:\n\n    <think>\n    some words here\n    </think>\n\nThat is all.',
    `The tag\n<think> is not closed here.${BLOCK}\n> ends with </think>\n> in the file`,
  ])('that is talked about stays as it is: %j', (text) => {
    for (const pieces of cuts(text)) expect(read(pieces, { manner: 'plain' })).toMatchObject({ text, shown: text })
  })
})

describe('thinking that only a closing tag ends', () => {
  test.each([
    'Okay, the user asks about the beacon. `x` SECRET.',
    'The user asks for SECRET.',
    'We need to look. SECRET',
    'Also, der Nutzer fragt nach SECRET.',
    'Hmm SECRET',
  ])('is never shown where it begins as thinking does: %s', (thought) => {
    for (const pieces of cuts(bare(thought)))
      expect(read(pieces)).toMatchObject({ text: `${ANSWER}${BLOCK}`, shown: `${ANSWER}${BLOCK}` })
  })

  test('is never shown of a model that is known for it, by name or by its last answer', () => {
    const thought = 'SECRET the period must be seven.'
    for (const model of ['deepseek-r1:8b', 'Qwen/QwQ-32B', 'Qwen3-4B-Thinking-2507', 'DeepSeek-R1-Distill-Qwen-7B'])
      expect(read(lettersOf(bare(thought)), {}, model).shown).toBe(`${ANSWER}${BLOCK}`)
    const habit: Habit = {}
    expect(read(lettersOf(bare(thought)), habit).text).toBe(`${ANSWER}${BLOCK}`)
    expect(habit.manner).toBe('bare')
    expect(read(lettersOf(bare(thought)), habit).shown).toBe(`${ANSWER}${BLOCK}`)
  })

  test('is taken back, wherever the text is cut, and whatever follows the tag', () => {
    for (const whole of [
      `SECRET.</think>${ANSWER}`,
      `SECRET</think>\n${ANSWER}`,
      `SECRET\n</think> ${ANSWER}`,
      `SECRET </think> ${ANSWER}`,
      `\n\n</think>\n${ANSWER}`,
      `${FENCE}js\nSECRET\n${FENCE}\nSo.\n</think>\n\n${ANSWER}`,
    ])
      for (const pieces of cuts(whole)) expect(read(pieces).text).toBe(ANSWER)
    expect(read(['SECRET\n</think>']).text).toBe('')
  })

  test('of a model that answers without any is not waited for', () => {
    const habit: Habit = {}
    const steps = (whole: string) => {
      const thoughts = createThoughts('deepseek-r1', habit)
      return [...whole.split(/(?<= )/).map((piece) => thoughts.push(piece).length), thoughts.end().length]
    }
    expect(steps(ANSWER)).toEqual([0, 0, 0, 0, 0, 1])
    expect(steps(ANSWER).slice(0, 3)).toEqual([1, 1, 1])
  })

  test('is not waited for where the server tells thinking in a field of its own', () => {
    const thoughts = createThoughts('deepseek-reasoner', {})
    thoughts.isToldApart()
    expect(thoughts.push('Okay, ')).toMatchObject([{ text: 'Okay, ' }])
  })
})

test.each([
  'Write `<think>` first and `</think>` last.',
  'analysis of the data',
  'analysisResult holds the sum.',
  'analysisItems and analysisI',
  'Harmony begins with <|channel|>analysis<|message|> and goes on with <|channel|>final<|message|>\nThen the answer.',
  'Gemma begins with <|channel>thought and ends with <channel|>\nThen comes the answer.',
  '<details><summary>More</summary>x</details>',
  `Use this:\n\n${FENCE}xml\n<think>\nhm\n</think>\n${FENCE}\n\nThen answer.`,
  `Like so:\n\n${FENCE}\nhm\n</think>\n${FENCE}\nThat is all.`,
  'Models put their thoughts between <think> and </think> before they answer.',
  'It looks so:\n<think>\nhm\n</think>\nThat is all.',
  'The closing tag </think> ends the thinking.',
  `The file says this [RREF1].${BLOCK}`,
  '3 < 4, a <b>bold</b> word, [1] and <thinker> or </thinks>',
  'One ends with `a</think>`.',
  '<p>Hello</p>',
  'All of it',
  'The',
  '\n',
  'First, open the valve. Then close it.',
])('an answer that talks about such tags stays as it is: %j', (whole) => {
  for (const pieces of cuts(whole)) {
    expect(read(pieces)).toEqual({ text: whole, thought: '', shown: whole })
    expect(read(pieces, {}, 'deepseek-r1').text).toBe(whole)
  }
})

test('any answer without a tag arrives as it was written, and its first words at once', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...lettersOf('<>/[]◁▷|`-\n thinkTHE['), 'References:') }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(texts, (pieces) => {
      const whole = pieces.join('')
      fc.pre(!/<\/?think|\[\/?think\]|◁\/?think/i.test(whole))
      expect(read(pieces)).toMatchObject({ text: whole, shown: whole })
    }),
  )
  const thoughts = createThoughts('m', {})
  expect(thoughts.push('It ').map(({ text }) => text)).toEqual(['It '])
})

test('thinking of any text is found, whole or in pieces', () => {
  const words = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '<', '/', '[', '`x`', '-'), maxLength: 40 })
  fc.assert(
    fc.property(words, words, fc.array(fc.integer({ min: 1, max: 5 })), (thought, rest, sizes) => {
      const answer = `A${rest}`
      const whole = `<think>${thought}\n</think>\n${answer}`
      const pieces: string[] = []
      let at = 0
      for (const size of sizes) {
        pieces.push(whole.slice(at, at + size))
        at += size
      }
      expect(read([...pieces, whole.slice(at)])).toMatchObject({ text: answer, thought: `${thought}\n` })
    }),
  )
})
