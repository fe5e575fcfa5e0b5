import type { Message } from '#test/support/people/workspace.ts'
import { ferry, mole, note } from '../drops.ts'
import { hostedScenario, scenario } from '../scenario.ts'

const QUESTION = 'From which pier does the ferry leave?'
const LAMP = 'When does the lamp in the lighthouse burn?'
const lamp = note('leuchtturm.md', 'Die Lampe im Leuchtturm brennt jede Nacht, und der Wärter zündet sie an.')

const isFor =
  (person: string) =>
  ({ only }: Message) =>
    only === person

hostedScenario(
  'Discord: help, language, model, usage, retry and collection are called by name, and answered to one person alone',
  { on: ['discord'], killedOn: 'discord', settings: { BUDGET_PERSON: 'questions=9/hour' } },
  async ({ ada, ben, adaInHarbour, platform, errors, expect }) => {
    await ada.calls('help')
    await ada.sees(/^Mention me[^]*`help more`/, isFor('Ada'))

    platform.script('upload', { kind: 'status', status: 500, body: '{"message":"The disk is full"}' }, Infinity)
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*failed\. The disk is full/)
    platform.calm()
    await ada.calls('retry', { options: { file: 'ferry.md' } })
    await ada.sees(/I am trying it again/, isFor('Ada'))
    await ada.sees(/ferry\.md.*ready/, ({ only }) => only === undefined)

    await ada.calls('model')
    await ada.sees(/^These models[^]*`double-model` — .*`?other-model/s, isFor('Ada'))
    await ada.calls('model', { options: { model: 'other-model' } })
    await ada.sees(/`other-model` answers in this channel/, isFor('Ada'))
    await ada.asks(QUESTION)
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)
    expect(JSON.stringify(platform.requests.findLast(({ op }) => op === 'chat')?.json)).toContain('other-model')

    await ada.calls('usage')
    await ada.sees(/^- Your budget: 1 of 9 questions an hour used\./, isFor('Ada'))
    await ben.calls('language', { options: { language: 'de' } })
    await ben.sees(/^Ab jetzt: Deutsch/, isFor('Ben'))
    await ben.calls('usage')
    await ben.sees(/^- Dein Kontingent: 0 von 9 Fragen in der Stunde/, isFor('Ben'))

    await adaInHarbour.drops(mole)
    await adaInHarbour.sees(/mole\.md.*ready/)
    await ben.calls('collection', { options: { of: adaInHarbour.channel.id } })
    await ben.sees(/Das kann nur|Nur wer|verwaltet/, isFor('Ben'))
    await ada.calls('collection', { options: { of: adaInHarbour.channel.id } })
    await ada.sees(/Shall I link this channel.*#harbour/, isFor('Ada'))
    await ada.presses('Link')
    await ada.sees(/uses the files of #harbour/)
    await ada.asks('When is the mole of the harbour closed?')
    await ada.seesAnswer(/closed from November to March\. ?\[1\]/)
    await ada.calls('collection', { options: { of: 'own' } })
    await ada.sees(/uses its own files again/, isFor('Ada'))
    await ada.calls('collection')
    await ada.sees(/^This channel uses its own files\./, isFor('Ada'))

    // Everybody reads the drop and two questions, and no command.
    const open = (await ben.shown()).filter(({ only }) => only === undefined).map(({ text }) => text.split('\n')[0])
    expect(open).toEqual([
      expect.stringMatching(/ferry\.md.*ready/),
      expect.stringMatching(/from pier seven/),
      expect.stringMatching(/closed from November to March/),
    ])
    expect(errors()).toEqual([])
  },
)

scenario(
  'Discord: a message is asked about, translated, kept as knowledge and forgotten from its menu, in German',
  { on: ['discord'], killedOn: 'discord', workspace: { pressLocale: 'de' } },
  async ({ ada, ben, errors, expect }) => {
    await ada.drops(lamp)
    await ada.sees(/leuchtturm\.md.*ready/)

    const asked = await ben.says('Wann brennt die Lampe im Leuchtturm?')
    await ada.calls('Ask about this', { target: asked })
    await ada.sees(
      /brennt jede Nacht.*\[1\]/,
      ({ only, buttons }) => only === 'Ada' && buttons.includes('Im Kanal teilen'),
    )
    await ada.presses('Im Kanal teilen')
    await ben.sees(/^\*\*Ada\*\* hat gefragt: Wann brennt die Lampe/, ({ only }) => only === undefined)

    const foreign = await ben.says(LAMP)
    await ada.calls('Translate', { target: foreign })
    await ada.sees(/^_Von einem Modell übersetzt \(Deutsch\):_\n\nWann brennt die Lampe/, isFor('Ada'))

    const said = await ben.says('Der Kessel im Turm hat den Code 4711, und nur der Wärter ändert ihn.')
    await ada.calls('Keep as knowledge', { target: said })
    await ben.sees(/Der Kessel im Turm.*(?:bereit|ready)/, ({ only }) => only === undefined)
    await ada.calls('ask', { options: { question: 'Welchen Code hat der Kessel im Turm?', share: true } })
    await ben.sees(/Code 4711.*\[1\]/, ({ only, buttons }) => only === undefined && buttons.includes('👍'))
    await ada.calls('Forget', { target: said })
    await ada.sees(/Kessel/, ({ only, buttons }) => only === 'Ada' && buttons.length === 2)
    await ada.presses(/^Vergessen/)
    await ada.sees(/Kessel.*ist vergessen/, isFor('Ada'))
    await ada.calls('files', { options: { page: 1 } })
    await ada.sees(/^\*\*1 Datei\*\*[^]*leuchtturm\.md/, isFor('Ada'))

    const open = (await ben.shown()).filter(({ only }) => only === undefined).map(({ text }) => text.split('\n')[0])
    expect(open).toHaveLength(4)
    expect(open.join('\n')).not.toMatch(/Von einem Modell|1 Datei/)
    expect(errors()).toEqual([])
  },
)
