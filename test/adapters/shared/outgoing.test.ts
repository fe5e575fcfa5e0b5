import { expect, test } from 'vitest'
import { quotedWords } from '#adapters/shared/outgoing.ts'

test.each([
  ['🎙️ “When does it sail?”', 'When does it sail?'],
  ['✏️ „Wann fährt sie?“', 'Wann fährt sie?'],
  ['🎙️ “`0:00` One.\n`0:31` “Two.””', '`0:00` One.\n`0:31` “Two.”'],
  ['She said “nine”', 'She said “nine”'],
  ['“Nine” is what she said', '“Nine” is what she said'],
  ['', ''],
])('a dialog that corrects %j begins with %j', (text, words) => {
  expect(quotedWords(text)).toBe(words)
})
