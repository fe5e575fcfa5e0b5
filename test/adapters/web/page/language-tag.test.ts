import { expect, it } from 'vitest'
import { toLanguageTag } from '#adapters/web/page/parts/language-tag.ts'

it.each([
  ['en-US', 'en-US'],
  ['en-US@posix', 'en-US'],
  ['de_DE.UTF-8', 'de-DE'],
  ['C', 'en'],
  ['', 'en'],
  ['not a language', 'en'],
])('the browser’s language %j is %j for dates and numbers', (named, tag) => {
  expect(toLanguageTag(named)).toBe(tag)
  expect(() => new Intl.DateTimeFormat(toLanguageTag(named))).not.toThrow()
})
