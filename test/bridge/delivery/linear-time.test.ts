/** Text of the model and of people may hold anything: cutting it takes time in proportion to its length. */
import { expect, it } from 'vitest'
import { scanLines } from '#bridge/delivery/markdown-lines.ts'
import { splitMarkdown } from '#bridge/delivery/split.ts'
import { boundariesBefore } from '#bridge/delivery/text-boundaries.ts'
import { growsFaster, repeated } from '#test/support/growth.ts'

const measure = (text: string) => text.length
const WORK: readonly (readonly [name: string, work: (text: string) => unknown])[] = [
  ['lines', (text) => scanLines(text, text.length)],
  ['words', (text) => boundariesBefore(text, { begin: 0, from: 0, end: text.length, unit: 'word' })],
  ['sentences', (text) => boundariesBefore(text, { begin: 0, from: 0, end: text.length, unit: 'sentence' })],
  ['two messages', (text) => splitMarkdown(text, { limit: Math.ceil(text.length * 0.7), measure })],
  ['messages of 2,000', (text) => splitMarkdown(text, { limit: 2000, measure })],
]
const PIECES = [
  ['`', '[', '![', '](', '(', '*', '**', '~', '|', '-', ':', '>', '#', '1. ', '- ', '> ', '| ', 'a '],
  ['```\n', '~~~\n', '\n', '\r\n', ' \n', '> \n', '|a|\n', '- ```\n', '> ```\n', 'a\n', '`\n', '[\n'],
  [' ', '\t', 'a', 'a.', '. ', '`a', '``a', '[a](', '**a', 'http://', 'あ', '😀', '\u0301', '\u200D'],
].flat()
const AROUND = [
  ['', ''],
  ['|a|\n---', 'x'],
] as const

it.each(WORK)('%s are found in linear time', (_name, work) => {
  const slow = AROUND.flatMap(([prefix, suffix]) =>
    PIECES.flatMap((piece) => {
      const times = growsFaster(work, repeated(prefix, piece, suffix))
      return times === undefined ? [] : [{ prefix, piece, suffix, times }]
    }),
  )
  expect(slow).toEqual([])
})
