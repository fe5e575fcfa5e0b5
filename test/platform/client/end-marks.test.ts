import { expect, test } from 'vitest'
import { createEndMarks } from '#platform/client/end-marks.ts'
import { formatReferences } from '#platform/wire/references.ts'
import { ENDS } from '#test/doubles/upstream/thinking.ts'

const ANSWER = 'The period is **7** [RREF1].'
const BLOCK = formatReferences([{ file: 'a.md', distance: 0.1, body: 'It ends with <|im_end|>' }])

function read(pieces: readonly string[]): string {
  const marks = createEndMarks()
  return [...pieces.map((piece) => marks.push(piece)), marks.end()].join('')
}

const cuts = (whole: string): readonly (readonly string[])[] => [
  ...Array.from({ length: whole.length + 1 }, (_, at) => [whole.slice(0, at), whole.slice(at)]),
  Array.from(whole),
]

test.each([...ENDS, '<|im_end|>\n<|endoftext|>'])(
  'an answer loses %j at its end, and before the references',
  (mark) => {
    for (const pieces of cuts(ANSWER + mark)) expect(read(pieces).trimEnd()).toBe(ANSWER)
    for (const pieces of cuts(ANSWER + mark + BLOCK))
      expect(read(pieces)).toMatch(/^The period is \*\*7\*\* \[RREF1\]\.\s*-/)
  },
)

test('the box around a result goes, wherever it is', () => {
  for (const pieces of cuts('It is <|begin_of_box|>7<|end_of_box|> s.')) expect(read(pieces)).toBe('It is 7 s.')
})

test.each([
  'Qwen ends a turn with <|im_end|>, Llama with <|eot_id|>.',
  'The token is `<|im_end|>`',
  'Old HTML: <s>gone</s>',
  '<s class="x">old</s>',
  '<response code="200"><ok/></response>',
  `The file says so [RREF1].${BLOCK}`,
  'The grade is FINAL',
  'Send the RESPONSE]',
  'a < b, [x] and <end> of it [1]',
])('an answer that talks about them stays as it is: %j', (whole) => {
  for (const pieces of cuts(whole)) expect(read(pieces)).toBe(whole)
})
