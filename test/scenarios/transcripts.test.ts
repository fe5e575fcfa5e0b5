/** Every message of a channel, word for word. */
import { expect } from 'vitest'
import { ferryPages, makePdf } from '../fixtures/pdf.ts'
import type { Person } from '../support/people/person.ts'
import type { DroppedFile } from '../support/people/workspace.ts'
import { readMemo } from '../support/speech.ts'
import { hostedScenario, scenario, scenarioWithoutModel } from './scenario.ts'
import type { Service, Stage } from './stage.ts'

const ON = { on: ['slack', 'discord'], workspace: { admin: 'Root' } } as const
const QUESTION = 'When does the ferry to the island leave?'
const EXPLAINED =
  "_I read the files that are dropped here and answer questions about them. Whoever can read here can ask._\n[Don't collect files here]"
const NOT_FROM_FILES = '_Not from files: there are none here yet._'
/** Under the first answer to a person. */
const AUTOMATED = 'This is an automated answer. Check what matters.'
const AUTOMATED_FROM_FILES = 'This is an automated answer from files. Check what matters in the file itself.'
const JUDGE = '\n[👍]\n[👎]'
const UNDER_ANSWER = `${JUDGE}\n[↻]\n[Shorter]\n[Longer]`
/** Discord shows passages shortened under an answer, and whole after a press. */
const passagesOn = (service: Service) => (service === 'slack' ? '' : '\n[Passages]')
const underQuoted = (service: Service) => `${JUDGE}${passagesOn(service)}\n[↻]\n[Shorter]\n[Longer]`
const UNDER_NOTHING = `\n[Ask a person]${JUDGE}`

/** The passage of page 2, as far as Discord shows it under an answer. */
const PAGE_TWO =
  'Getting there / **The ferry to the island leaves at 9:40 from pier seven every day except Monday.** A return ticket costs twelve euros. Bicycles travel free of…'

const PAGE_ONE =
  'The lighthouse was built in 1884 by the harbour council. It is painted white with two red bands. Visitors climb 142 steps to the gallery.'

const ferry: DroppedFile = {
  name: 'ferry.md',
  bytes: '# Ferry\n\nThe ferry to the island leaves at 9:40 from pier seven every day except Monday.\n',
  mimeType: 'text/markdown',
}
const handbook = async (): Promise<DroppedFile> => ({
  name: 'handbook.pdf',
  bytes: await makePdf(ferryPages),
  mimeType: 'application/pdf',
})

/** The line of reference 1 under an answer; on Slack the passage is folded. */
function referenceLine(service: Service, file: string, place: string, passage: string): string {
  if (service === 'slack') return `\n[1] ${file} · ${place} · Ada, <day>`
  return `\n\n-# [1] **${file}**, ${place} · Ada, <day> · <link>\n-# “${passage}”`
}

const automatedOn = (service: Service) => (service === 'slack' ? `\n${AUTOMATED}` : `\n\n-# ${AUTOMATED}`)

const recordingOn = (service: Service) =>
  service === 'slack' ? 'Ada: (audio_message.m4a)' : 'Ada: (voice-message.ogg)'

/** Compares the messages there with all that was expected so far. */
function createReading(person: Person) {
  const told: string[] = []
  const reads = async (...more: readonly string[]) => {
    told.push(...more)
    expect(await person.transcript(told)).toEqual(told)
  }
  return { told, reads }
}

/** After the end: nothing was said twice, and no secret was logged. */
async function expectQuiet({ ada, footbridge, secrets }: Stage, told: readonly string[]) {
  await footbridge.stop()
  expect(await ada.transcript(), 'nothing was said twice').toEqual(told)
  expect(footbridge.output.stderr).toEqual([])
  for (const secret of secrets) expect(footbridge.output.all.join()).not.toContain(secret)
}

const latest = async (person: Person) => (await person.shown()).at(-1)?.id ?? ''

scenario(
  'mention, drop and voice message are answered by a model behind the embedded platform, a direct conversation apart',
  ON,
  async (stage) => {
    const { workspace, ada, adaDirect, upstream, alarms } = stage
    const { service } = workspace
    const { told, reads } = createReading(ada)
    const reference = referenceLine(service, 'handbook.pdf', 'p.2', PAGE_TWO)

    upstream.script({ kind: 'chat', deltas: ['Hello', ' Ada', '.'] })
    await ada.asks('hello')
    await reads(
      'Ada: @Footbridge hello',
      `↳ Footbridge: Hello Ada.\n\n${NOT_FROM_FILES}${automatedOn(service)}${UNDER_ANSWER}`,
    )

    await ada.drops(await handbook())
    await reads('Ada: (handbook.pdf)', `↳ Footbridge: ✅ **handbook.pdf** — ready\n\n${EXPLAINED}`)

    upstream.script({ kind: 'chat', deltas: ['The ferry leaves at 9:40 [R', 'REF', '1]', '.'] })
    await ada.asks(QUESTION)
    await reads(
      `Ada: @Footbridge ${QUESTION}`,
      `↳ Footbridge: The ferry leaves at 9:40 [1].${reference}${underQuoted(service)}`,
    )

    upstream.script(
      { kind: 'chat', text: 'From which pier does the ferry to the island leave?' },
      { kind: 'chat', deltas: ['From pier seven ', '[RREF1].'] },
    )
    await ada.says('And from which pier?', { after: await latest(ada) })
    await reads('↳ Ada: And from which pier?', `↳ Footbridge: From pier seven [1].${reference}${underQuoted(service)}`)
    expect(JSON.stringify(upstream.requests.at(-1)?.json)).toContain('The ferry leaves at 9:40')

    upstream.script(
      { kind: 'transcript', text: 'When does the ferry leave?' },
      { kind: 'chat', text: 'At 9:40 [RREF1].' },
    )
    await ada.records(readMemo('lighthouse.ogg'))
    await reads(
      recordingOn(service),
      '↳ Footbridge: 🎙️ “When does the ferry leave?”\n[Edit]\n[Keep as a file]',
      `↳ Footbridge: At 9:40 [1].${reference}${underQuoted(service)}`,
    )

    await ada.drops(ferry)
    await reads('Ada: (ferry.md)', '↳ Footbridge: ✅ **ferry.md** — ready')
    const shown = await ada.shown()
    expect(shown.some(({ folded }) => folded.join().includes('leaves at 9:40'))).toBe(service === 'slack')
    // An answer that can be read within a moment needs no sign.
    const signs = workspace.signs?.() ?? []
    expect(signs.length).toBeGreaterThanOrEqual(2)
    expect(signs.length).toBeLessThanOrEqual(5)
    // On Discord a recording among people was offered to be answered, and the offer taken away.
    const offers = service === 'discord' ? 1 : 0
    const calls = workspace.calls?.() ?? []
    expect(calls.filter((call) => call === 'create')).toHaveLength(shown.length + offers)
    expect(calls.filter((call) => call === 'delete')).toHaveLength(offers)

    // No mention is needed in a direct conversation, and its files are its own.
    const alone = createReading(adaDirect)
    upstream.script({ kind: 'chat', text: 'Hello.' })
    await adaDirect.says('hello')
    await alone.reads('Ada: hello', `↳ Footbridge: Hello.\n\n${NOT_FROM_FILES}${UNDER_ANSWER}`)
    await adaDirect.drops({ ...ferry, name: 'own.md' })
    await alone.reads('Ada: (own.md)', `↳ Footbridge: ✅ **own.md** — ready\n\n${EXPLAINED}`)
    upstream.script({ kind: 'chat', text: 'At 9:40 [RREF1].' })
    await adaDirect.says(QUESTION)
    const passage = 'Ferry / **The ferry to the island leaves at 9:40 from pier seven every day except Monday.**'
    await alone.reads(
      `Ada: ${QUESTION}`,
      `↳ Footbridge: At 9:40 [1].${referenceLine(service, 'own.md', 'L1-3', passage)}${underQuoted(service)}`,
    )

    await expectQuiet(stage, told)
    expect(await adaDirect.transcript()).toEqual(alone.told)
    expect(alarms()).toEqual([])
  },
)

scenarioWithoutModel('mention, drop and voice message are served without a language model', ON, async (stage) => {
  const { workspace, footbridge, ada } = stage
  const { told, reads } = createReading(ada)

  await ada.asks(QUESTION)
  await reads(
    `Ada: @Footbridge ${QUESTION}`,
    '↳ Footbridge: There are no files here yet. Drop one (PDF, Office, text, mail …). When its receipt says *ready*, ask me again.',
  )

  await ada.drops(await handbook())
  await reads('Ada: (handbook.pdf)', `↳ Footbridge: ✅ **handbook.pdf** — ready\n\n${EXPLAINED}`)

  await ada.asks(QUESTION)
  // The sentence that answers comes first; the retrieval decides how many others follow.
  const reference = referenceLine(workspace.service, 'handbook.pdf', 'p.2', PAGE_TWO)
  const small = workspace.service === 'slack' ? '' : '-# '
  const quoted = new RegExp(
    `^↳ Footbridge: The files say \\(no language model is connected\\):\n\n> The ferry to the island leaves at 9:40 from pier seven every day except Monday\\. \\[1\\](?:\n> ?\n> .+ \\[1\\]){0,2}${RegExp.escape(`${reference}\n${small}${AUTOMATED_FROM_FILES}${JUDGE}${passagesOn(workspace.service)}`)}$`,
  )
  const seen = await ada.transcript([...told, `Ada: @Footbridge ${QUESTION}`, quoted])
  expect(seen.at(-1)).toMatch(quoted)
  told.push(...seen.slice(told.length))

  const near = referenceLine(workspace.service, 'handbook.pdf', 'p.1', `**${PAGE_ONE}**`)
  await ada.asks('Who painted the Mona Lisa?')
  await reads(
    'Ada: @Footbridge Who painted the Mona Lisa?',
    `↳ Footbridge: **I am not sure that the files answer this.** I looked for the words of your question in 1 file.\n\nThese passages may help:\n- ${PAGE_ONE} [1]${near}${UNDER_NOTHING}${passagesOn(workspace.service)}`,
  )

  await ada.records(new Uint8Array([1, 2, 3]))
  await reads(
    recordingOn(workspace.service),
    '↳ Footbridge: I can’t listen to recordings here: no speech model is set up. Please type your question.',
  )

  await expectQuiet(stage, told)
  expect(footbridge.alarms().map(({ msg }) => msg)).toEqual([
    'Voice message could not be transcribed; whoever sent it was told why',
  ])
})

for (const profile of ['collection', 'saia'] as const) {
  hostedScenario(
    `mention, drop and voice message are served by a hosted platform of the profile ${profile}`,
    { ...ON, profile },
    async (stage) => {
      const { workspace, ada, platform, alarms } = stage
      const { told, reads } = createReading(ada)
      const passage = 'The ferry to the island leaves at 9:40 from pier seven every day except Monday.'
      const reference = referenceLine(workspace.service, 'ferry.md', 'L3', `**${passage}**`)
      const answer = `↳ Footbridge: According to ferry.md: ${passage} [1]${reference}${underQuoted(workspace.service)}`

      await ada.asks('hello')
      await reads(
        'Ada: @Footbridge hello',
        `↳ Footbridge: You said: hello\n\n${NOT_FROM_FILES}${automatedOn(workspace.service)}${UNDER_ANSWER}`,
      )

      platform.script('generate-index', { kind: 'polls', polls: 2 })
      await ada.drops(ferry)
      await reads('Ada: (ferry.md)', `↳ Footbridge: ✅ **ferry.md** — ready\n\n${EXPLAINED}`)

      await ada.asks(QUESTION)
      await reads(`Ada: @Footbridge ${QUESTION}`, answer)

      await ada.says('And from which pier?', { after: await latest(ada) })
      await reads('↳ Ada: And from which pier?', answer)

      platform.script('transcribe', { kind: 'transcript', text: 'When does the ferry leave?' })
      await ada.records(new Uint8Array([1, 2, 3]))
      await reads(
        recordingOn(workspace.service),
        '↳ Footbridge: 🎙️ “When does the ferry leave?”\n[Edit]\n[Keep as a file]',
        answer,
      )

      await expectQuiet(stage, told)
      expect(alarms()).toEqual([])
      // The entries are checked against the texts that were kept.
      expect(platform.requests.filter(({ op }) => op === 'download')).toEqual([])
    },
  )
}

scenarioWithoutModel(
  'the button under the first receipt leaves dropped files alone, and a word takes them up again',
  { ...ON, workspace: { admin: 'Root', pressLocale: 'de' } },
  async (stage) => {
    const { workspace, ada } = stage
    const { told, reads } = createReading(ada)
    const ready = 'ready'
    await ada.drops(ferry)
    await reads('Ada: (ferry.md)', `↳ Footbridge: ✅ **ferry.md** — ${ready}\n\n${EXPLAINED}`)

    await ada.presses("Don't collect files here")
    await reads(
      workspace.service === 'slack'
        ? '↳ Footbridge: From now on I leave files in this channel alone. Say `files on` to me to have me collect them again.'
        : '↳ Footbridge: Dateien in diesem Kanal lasse ich ab jetzt in Ruhe. Sag `files on`, damit ich sie wieder sammle.',
    )

    await ada.drops({ ...ferry, name: 'ignored.md' })
    await reads('Ada: (ignored.md)')
    await ada.asks('files on')
    await reads(
      'Ada: @Footbridge files on',
      '↳ Footbridge: From now on I collect the files that are dropped in this channel, and answer from them.',
    )

    await ada.drops({ ...ferry, name: 'taken.md', bytes: 'The harbour is deep.\n' })
    await reads('Ada: (taken.md)', `↳ Footbridge: ✅ **taken.md** — ${ready}`)
    await expectQuiet(stage, told)
  },
)

scenario('every event told three times, in either order, has one answer and one receipt', ON, async (stage) => {
  const { workspace, ada, upstream } = stage
  const { told, reads } = createReading(ada)
  for (const order of ['mention-first', 'message-first'] as const) {
    upstream.script({ kind: 'chat', text: 'Only once.', delayMs: 20 })
    await ada.asks('How often?', { times: 3, order })
    const note = order === 'mention-first' ? automatedOn(workspace.service) : ''
    await reads('Ada: @Footbridge How often?', `↳ Footbridge: Only once.\n\n${NOT_FROM_FILES}${note}${UNDER_ANSWER}`)
  }
  await workspace.say('Ada', ada.channel, { files: [ferry], times: 3 })
  await reads('Ada: (ferry.md)', `↳ Footbridge: ✅ **ferry.md** — ready\n\n${EXPLAINED}`)
  await expectQuiet(stage, told)
  expect(upstream.requests.filter(({ path }) => path === '/chat/completions')).toHaveLength(2)
})
