import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutPassage, type PassageBlock } from '#adapters/web/page/references/passage-blocks.ts'

const plain = (text: string) => [{ text, marked: false }]

test('headings lose their marks, and what supports the answer is marked', () => {
  expect(cutPassage('# Getting there\n\nBy bus. By ferry at nine.\n  Daily.\n', 'By ferry at nine.')).toEqual([
    { kind: 'heading', pieces: plain('Getting there') },
    {
      kind: 'text',
      pieces: [
        { text: 'By bus. ', marked: false },
        { text: 'By ferry at nine.', marked: true },
        { text: '\n  Daily.', marked: false },
      ],
    },
  ])
})

test('a table is one, with or without its head', () => {
  const table = '| item | price |\n| --- | --- |\n| soup | 4.20 |\n| a \\| b<br>c |  |'
  expect(cutPassage(`Prices:\n${table}`, 'soup | 4.20 |')).toEqual([
    { kind: 'text', pieces: plain('Prices:') },
    {
      kind: 'table',
      head: [plain('item'), plain('price')],
      rows: [
        [[{ text: 'soup', marked: true }], [{ text: '4.20', marked: true }]],
        [plain('a | b\nc'), []],
      ],
    },
  ])
  expect(cutPassage('| soup | 4.20 |\n| bread | 1.50 |', undefined)).toEqual([
    {
      kind: 'table',
      rows: [
        [plain('soup'), plain('4.20')],
        [plain('bread'), plain('1.50')],
      ],
    },
  ])
})

test('the lines of a list are its items, numbers stay', () => {
  expect(cutPassage('Bring:\n- a *tent*\n  • a lamp\n\n1. Ask Anna.\n2) Ask Ben.\n3.5 km', 'Ask Ben.')).toEqual([
    { kind: 'text', pieces: plain('Bring:') },
    { kind: 'list', items: [plain('a *tent*'), plain('a lamp')] },
    {
      kind: 'list',
      items: [
        plain('1. Ask Anna.'),
        [
          { text: '2) ', marked: false },
          { text: 'Ask Ben.', marked: true },
        ],
      ],
    },
    { kind: 'text', pieces: plain('3.5 km') },
  ])
})

const piecesOf = (block: PassageBlock) =>
  block.kind === 'table'
    ? [...(block.head ?? []), ...block.rows.flat()].flat()
    : block.kind === 'list'
      ? block.items.flat()
      : block.pieces

const letters = (text: string) => text.replaceAll(/[^abx]/g, '')

test('no word of a passage is lost or added, wherever it is marked', () => {
  const words = fc.constantFrom(...'a b | \\| # ## --- \n \n\n | x | | --- |'.split(' '), ' ')
  const texts = fc.array(words, { maxLength: 40 }).map((all) => all.join(' '))
  fc.assert(
    fc.property(texts, fc.nat(40), fc.nat(20), (passage, from, length) => {
      const shown = cutPassage(passage, passage.slice(from, from + length))
        .flatMap(piecesOf)
        .map(({ text }) => text)
        .join('')
      expect(letters(shown)).toBe(letters(passage))
    }),
    { numRuns: 500 },
  )
})
