import { languageOf, textsFor } from '#bridge/texts/texts.ts'
import { expect, it } from 'vitest'

const of = (text: string, language?: string) =>
  languageOf({ text, author: { id: 'U1', name: 'A', ...(language === undefined ? {} : { language }) } })

it('what the service tells counts, else the small words of the message', () => {
  expect(of('Wann fährt die Fähre?')).toBe('de')
  expect(of('When does the ferry leave?')).toBe('en')
  expect(of('Wann fährt die Fähre?', 'fr-FR')).toBe('fr-FR')
  expect(of('Fähre 9:40')).toBeUndefined()
})

it('a command in one language is answered in it', () => {
  for (const said of ['dateien', 'Vergiss plan.md', 'hilfe', 'lücken', 'wiederhole', 'herunterladen plan.md'])
    expect(of(said)).toBe('de')
  expect(of('files')).toBeUndefined()
})

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
