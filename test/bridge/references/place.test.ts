import { timeIn } from '#bridge/references/place.ts'
import { describe, expect, it } from 'vitest'

const passage = '[0:00] We met at the pier.\n\n[0:42] The ferry leaves at ten. Bring coats.\n\n[1:02:03] Bye.'

describe('the second of a passage', () => {
  it('is that of the words that support the answer', () => {
    expect(timeIn(passage, 'Bring coats.')).toBe('0:42')
    expect(timeIn(passage, '[0:42] The ferry leaves at ten.')).toBe('0:42')
    expect(timeIn(passage, 'Bye.')).toBe('1:02:03')
  })

  it('is the first one where nothing tells which words support it', () => {
    expect(timeIn(passage, undefined)).toBe('0:00')
    expect(timeIn('…the end of one.\n[0:42] Then this.', 'the end of one')).toBe('0:42')
  })

  it('is not in texts without time marks at the beginning of a line', () => {
    expect(timeIn('See [1] and [0:42] in the text.', 'in the text')).toBeUndefined()
  })
})
