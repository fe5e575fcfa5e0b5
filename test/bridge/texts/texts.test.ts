import type { PlatformFailure } from '#bridge/port/platform.ts'
import { sentenceFor } from '#bridge/texts/errors.ts'
import { languageOf, textsFor } from '#bridge/texts/texts.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'
import { growsFaster, repeated } from '#test/support/growth.ts'
import { expect, it } from 'vitest'

const of = (text: string, language?: string) =>
  languageOf({ text, author: { id: 'U1', name: 'A', ...(language === undefined ? {} : { language }) } })

it('the small words of the message count, else what the service tells', () => {
  expect(of('Wann fährt die Fähre?')).toBe('de')
  expect(of('When does the ferry leave?')).toBe('en')
  expect(of('Wann fährt die Fähre?', 'fr-FR')).toBe('de')
  expect(of('When does the ferry leave?', 'en-GB')).toBe('en-GB')
  expect(of('Quand part le bac ?', 'de-AT')).toBe('de-AT')
  expect(of('Fähre 9:40', 'en')).toBe('en')
  expect(of('Fähre 9:40')).toBeUndefined()
})

it.each([
  'ok thanks',
  'how-to-use-the-boiler.pdf',
  'Was steht in "The House Rules for you and me.pdf"?',
  'Was steht in „The rules of the house“?',
  'Was ist in what-is-the-plan.docx?',
])('a word of thanks, names of files and quotations do not overrule what the service tells: %s', (text) => {
  expect(of(text, 'de')).toBe('de')
})

it('a language that was chosen here is overruled by no message', () => {
  const author = { id: 'U1', name: 'A', language: 'de', isLanguageChosen: true } as const
  expect(languageOf({ text: 'When does the ferry leave?', author })).toBe('de')
})

it('a command in one language is answered in it', () => {
  for (const said of ['dateien', 'Vergiss plan.md', 'hilfe', 'lücken', 'wiederhole', 'herunterladen plan.md'])
    expect(of(said)).toBe('de')
  expect(of('files')).toBeUndefined()
})

it.each(['en', 'de'])(
  'where one person uses the service, help names nothing that needs others or other places, %s',
  (language) => {
    const { helpMore } = textsFor(language)
    const others = /`(link|unlink|access|ask in|frag in|ask group)\b|#/
    expect(helpMore(true)).not.toMatch(others)
    expect(helpMore(false)).toMatch(others)
  },
)

it('why a file can’t be had is said in German too, with its host or status', () => {
  const message = 'Slack hides this file.'
  const { noFile } = textsFor('de').failures
  expect(noFile({ message, trouble: { kind: 'hidden', service: 'Slack' } })).toMatch(/^Slack verbirgt diese Datei/)
  expect(noFile({ message, trouble: { kind: 'elsewhere', service: 'Slack', detail: 'drive.example' } })).toMatch(
    /liegt auf drive\.example, und das gehört nicht zu Slack/,
  )
  expect(noFile({ message })).toMatch(/^Der Chat-Dienst hat das abgelehnt/)
  expect(textsFor('en').failures.noFile({ message })).toBe(message)
})

it.each(['en', 'de'])(
  'a failure says what happened, who can mend it and what to do, in no more than two layers, %s',
  (language) => {
    const texts = textsFor(language)
    const said = (code: PlatformFailure['code'], words: string) => sentenceFor(platformFailure(code, words), texts)
    const key = said('server', 'The model server refused our key: check UPSTREAM_API_KEY.')
    const address = said('not-found', 'The model server has nothing at this address: check UPSTREAM_BASE_URL, which …')
    const away = said(
      'server',
      'The model server cannot be reached: check that it runs and that UPSTREAM_BASE_URL is right.',
    )
    const failed = said('server', 'The model server failed: The server had an error while processing your request.')
    const status = said('server', 'The model server failed: status 500')
    const refused = said('invalid', 'The model server says: The model `x` does not exist')
    const platform = said('server', 'Error: it broke: badly.')
    for (const sentence of [key, address, away, failed, status, refused, platform]) {
      expect(sentence).not.toMatch(/The model server|UPSTREAM/)
      expect(sentence.replaceAll(/“[^”]*”|„[^“]*“/g, '…').match(/: /g)?.length ?? 0).toBeLessThan(2)
    }
    const toAdmin = /tell whoever runs me|sag es denen, die mich betreiben/
    for (const sentence of [key, address, away]) expect(sentence).toMatch(toAdmin)
    for (const sentence of [key, address]) expect(sentence).not.toMatch(/again|noch einmal/)
    expect(failed).toMatch(/“The server had an error while processing your request\.”|„The server had/)
    for (const sentence of [failed, status, platform]) expect(sentence).toMatch(/again in a moment|gleich noch einmal/)
    expect(status).toMatch(/[Ss]tatus 500\. /)
    expect(refused).toContain('`model`')
    const { noTranscription } = texts.failures
    expect(noTranscription('')).toMatch(/(?:text|verwandeln)\.$/)
    expect(noTranscription('The model server refused our key.')).toMatch(toAdmin)
    const quoted = /It says: “模型不存在”$|Die Antwort war: „模型不存在“$/
    for (const fault of ['says', 'failed'])
      expect(noTranscription(`The model server ${fault}: 模型不存在`)).toMatch(quoted)
    for (const words of ['模型不存在', 'Überlastet', '{"error": 1}'])
      for (const fault of ['says', 'failed'])
        expect(said('server', `The model server ${fault}: ${words}`)).toMatch(new RegExp(`[“„]${words}`))
  },
)

const inGerman = (text: string) => of(text, 'de')

it('the time to tell a language grows with the text', () => {
  for (const piece of ['„', '"a', 'a', 'a.', '`'])
    expect([piece, growsFaster(inGerman, repeated('x', piece, 'y'))]).toEqual([piece, undefined])
})
