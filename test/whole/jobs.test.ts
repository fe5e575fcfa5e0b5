import { describe, expect, test } from 'vitest'
import { ferryPages, makePdf } from '../fixtures/pdf.ts'
import { readMemo } from '../support/speech.ts'
import { eventually, type Desk, type DroppedFile } from '../support/whole/desk.ts'
import { withPlatform, withUpstream } from '../support/whole/platforms.ts'
import {
  closeAtEnd,
  DESKS,
  ferryNote,
  open,
  referenceLine,
  SERVICES,
  type Service,
  JUDGE,
  UNDER_ANSWER,
  UNDER_NOTHING,
} from '../support/whole/stage.ts'

const QUESTION = 'When does the ferry to the island leave?'
const EXPLAINED =
  "_Files dropped here go into a collection of their own; I answer questions from it and quote the passages._\n[Don't collect files here]"
const NOT_FROM_FILES = '_Not from files: none was dropped here yet._'

/** The passage of page 2, as far as Discord shows it under an answer. */
const PAGE_TWO =
  'Getting there **The ferry to the island leaves at 9:40 from pier seven every day except Monday.** A return ticket costs twelve euros. Bicycles travel free of…'

const handbook = async (): Promise<DroppedFile> => ({
  name: 'handbook.pdf',
  bytes: await makePdf(ferryPages),
  mimeType: 'application/pdf',
})

async function sees(desk: Desk, transcript: string[], ...more: readonly string[]): Promise<void> {
  transcript.push(...more)
  expect(await eventually(() => desk.sees(), transcript)).toEqual(transcript)
}

const latest = (desk: Desk): string => desk.ours().at(-1) ?? ''

describe.each(SERVICES)('on %s', (service: Service) => {
  test('mention, drop and memo are answered by a model behind the embedded platform', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const { env, upstream, secrets } = closeAtEnd(await withUpstream())
    const footbridge = await open(desk.env, env)
    const told: string[] = []
    const reference = referenceLine(service, 'handbook.pdf', 'p.2', PAGE_TWO)

    upstream.script({ kind: 'chat', deltas: ['Hello', ' Ada', '.'] })
    desk.does({ text: 'hello', mention: true })
    await sees(
      desk,
      told,
      'Ada: @Footbridge hello',
      `↳ Footbridge: Hello Ada.\n\n${NOT_FROM_FILES}${UNDER_ANSWER}`,
    )

    desk.does({ files: [await handbook()] })
    await sees(
      desk,
      told,
      'Ada: (handbook.pdf)',
      `↳ Footbridge: ✅ **handbook.pdf** — ready · 3 chunks\n\n${EXPLAINED}`,
    )

    upstream.script({ kind: 'chat', deltas: ['The ferry leaves at 9:40 [R', 'REF', '1]', '.'] })
    desk.does({ text: QUESTION, mention: true })
    await sees(
      desk,
      told,
      `Ada: @Footbridge ${QUESTION}`,
      `↳ Footbridge: The ferry leaves at 9:40 [1].${reference}${UNDER_ANSWER}`,
    )

    upstream.script(
      { kind: 'chat', text: 'From which pier does the ferry to the island leave?' },
      { kind: 'chat', deltas: ['From pier seven ', '[RREF1].'] },
    )
    desk.does({ text: 'And from which pier?', after: latest(desk) })
    await sees(
      desk,
      told,
      '↳ Ada: And from which pier?',
      `↳ Footbridge: From pier seven [1].${reference}${UNDER_ANSWER}`,
    )
    expect(JSON.stringify(upstream.requests.at(-1)?.json)).toContain('The ferry leaves at 9:40')

    upstream.script(
      { kind: 'transcript', text: 'When does the ferry leave?' },
      { kind: 'chat', text: 'At 9:40 [RREF1].' },
    )
    desk.does({ memo: readMemo('lighthouse.ogg') })
    await sees(
      desk,
      told,
      service === 'slack' ? 'Ada: (audio_message.m4a)' : 'Ada: (voice-message.ogg)',
      '↳ Footbridge: 🎙️ “When does the ferry leave?”\n[Edit]\n[Keep as a file]',
      `↳ Footbridge: At 9:40 [1].${reference}${UNDER_ANSWER}`,
    )

    desk.does({ files: [ferryNote] })
    await sees(desk, told, 'Ada: (ferry.md)', '↳ Footbridge: ✅ **ferry.md** — ready · 1 chunk')

    await footbridge.stop()
    expect(desk.sees(), 'nothing was said twice').toEqual(told)
    expect(footbridge.alarms()).toEqual([])
    expect(footbridge.output.stderr).toEqual([])
    for (const secret of [...secrets, ...desk.secrets])
      expect(footbridge.output.all.join()).not.toContain(secret)
    expect(desk.folded().some((passage) => passage.includes('leaves at 9:40'))).toBe(service === 'slack')
    expect(desk.signs()).toHaveLength(5)
    expect(desk.wire(), 'a message a thing said').toEqual(desk.ours().map(() => 'create'))
  })

  test('mention, drop and memo are served without a language model', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const footbridge = await open(desk.env)
    const told: string[] = []

    desk.does({ text: QUESTION, mention: true })
    await sees(
      desk,
      told,
      `Ada: @Footbridge ${QUESTION}`,
      '↳ Footbridge: I answer from the files that are dropped here, and there is none yet. Drop one (PDF, Office, text, mail …); when its receipt says *ready*, ask me again.',
    )

    desk.does({ files: [await handbook()] })
    await sees(
      desk,
      told,
      'Ada: (handbook.pdf)',
      `↳ Footbridge: ✅ **handbook.pdf** — ready · 3 chunks\n\n${EXPLAINED}`,
    )

    desk.does({ text: QUESTION, mention: true })
    // The sentence that answers comes first; how many stand beside it is the affair of the retrieval.
    const quoted = new RegExp(
      `^↳ Footbridge: No language model is set, so here is what the files themselves say:\n\n> The ferry to the island leaves at 9:40 from pier seven every day except Monday\\. \\[1\\](?:\n> ?\n> .+ \\[1\\]){0,2}${RegExp.escape(referenceLine(service, 'handbook.pdf', 'p.2', PAGE_TWO) + JUDGE)}$`,
    )
    const seen = await eventually(() => desk.sees(), [...told, `Ada: @Footbridge ${QUESTION}`, quoted])
    expect(seen.at(-1)).toMatch(quoted)
    told.push(...seen.slice(told.length))

    desk.does({ text: 'Who painted the Mona Lisa?', mention: true })
    await sees(
      desk,
      told,
      'Ada: @Footbridge Who painted the Mona Lisa?',
      `↳ Footbridge: **Not in this channel’s files.** I searched 1 file and found nothing that answers it.${UNDER_NOTHING}`,
    )

    desk.does({ memo: new Uint8Array([1, 2, 3]) })
    await sees(
      desk,
      told,
      service === 'slack' ? 'Ada: (audio_message.m4a)' : 'Ada: (voice-message.ogg)',
      '↳ Footbridge: I can’t listen to recordings here: no speech model is set up. Please type your question; whoever runs me can set one (UPSTREAM_TRANSCRIPTION_MODEL).',
    )

    await footbridge.stop()
    expect(desk.sees(), 'nothing was said twice').toEqual(told)
    expect(footbridge.alarms().map(({ msg }) => msg)).toEqual(['A voice note could not be transcribed'])
  })

  test.each(['collection', 'saia'] as const)(
    'mention, drop and memo are served by a hosted platform of the profile %s',
    async (profile) => {
      const desk = closeAtEnd(await DESKS[service]())
      const { env, platform, secrets } = closeAtEnd(await withPlatform(profile))
      const footbridge = await open(desk.env, env)
      const told: string[] = []
      const passage = 'The ferry to the island leaves at 9:40 from pier seven every day except Monday.'
      const answer = `↳ Footbridge: According to ferry.md: ${passage} [1]${referenceLine(service, 'ferry.md', 'L3', `**${passage}**`)}${UNDER_ANSWER}`

      desk.does({ text: 'hello', mention: true })
      await sees(
        desk,
        told,
        'Ada: @Footbridge hello',
        `↳ Footbridge: You said: hello\n\n${NOT_FROM_FILES}${UNDER_ANSWER}`,
      )

      platform.script('generate-index', { kind: 'polls', polls: 2 })
      desk.does({ files: [ferryNote] })
      await sees(
        desk,
        told,
        'Ada: (ferry.md)',
        `↳ Footbridge: ✅ **ferry.md** — ready · 2 chunks\n\n${EXPLAINED}`,
      )

      desk.does({ text: QUESTION, mention: true })
      await sees(desk, told, `Ada: @Footbridge ${QUESTION}`, answer)

      desk.does({ text: 'And from which pier?', after: latest(desk) })
      await sees(desk, told, '↳ Ada: And from which pier?', answer)

      platform.script('transcribe', { kind: 'transcript', text: 'When does the ferry leave?' })
      desk.does({ memo: new Uint8Array([1, 2, 3]) })
      await sees(
        desk,
        told,
        service === 'slack' ? 'Ada: (audio_message.m4a)' : 'Ada: (voice-message.ogg)',
        '↳ Footbridge: 🎙️ “When does the ferry leave?”\n[Edit]\n[Keep as a file]',
        answer,
      )

      await footbridge.stop()
      expect(desk.sees(), 'nothing was said twice').toEqual(told)
      expect(footbridge.alarms()).toEqual([])
      for (const secret of [...secrets, ...desk.secrets])
        expect(footbridge.output.all.join()).not.toContain(secret)
    },
  )

  test('a direct conversation needs no mention, and has files of its own', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const { env, upstream } = closeAtEnd(await withUpstream())
    await open(desk.env, env)
    const told: string[] = []
    const look = () => desk.sees({ direct: true })

    upstream.script({ kind: 'chat', text: 'Hello.' })
    desk.does({ text: 'hello', direct: true })
    told.push('Ada: hello', `↳ Footbridge: Hello.\n\n${NOT_FROM_FILES}${UNDER_ANSWER}`)
    expect(await eventually(look, told)).toEqual(told)

    desk.does({ files: [ferryNote], direct: true })
    told.push('Ada: (ferry.md)', `↳ Footbridge: ✅ **ferry.md** — ready · 1 chunk\n\n${EXPLAINED}`)
    expect(await eventually(look, told)).toEqual(told)

    upstream.script({ kind: 'chat', text: 'At 9:40 [RREF1].' })
    desk.does({ text: QUESTION, direct: true })
    const passage =
      'Ferry **The ferry to the island leaves at 9:40 from pier seven every day except Monday.**'
    told.push(
      `Ada: ${QUESTION}`,
      `↳ Footbridge: At 9:40 [1].${referenceLine(service, 'ferry.md', 'L1-3', passage)}${UNDER_ANSWER}`,
    )
    expect(await eventually(look, told)).toEqual(told)

    desk.does({ text: QUESTION, mention: true })
    upstream.script({ kind: 'chat', text: 'I can not know.' })
    const inChannel = [
      `Ada: @Footbridge ${QUESTION}`,
      `↳ Footbridge: I can not know.\n\n${NOT_FROM_FILES}${UNDER_ANSWER}`,
    ]
    expect(await eventually(() => desk.sees(), inChannel)).toEqual(inChannel)
  })

  test('the button under the first receipt leaves dropped files alone, and a word takes them up again', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const footbridge = await open(desk.env)
    const told: string[] = []
    const ready = 'ready · 1 chunk'
    desk.does({ files: [ferryNote] })
    await sees(desk, told, 'Ada: (ferry.md)', `↳ Footbridge: ✅ **ferry.md** — ${ready}\n\n${EXPLAINED}`)

    desk.press("Don't collect files here")
    await sees(
      desk,
      told,
      service === 'slack'
        ? '↳ Footbridge: Files dropped in this channel are left alone from now on. Say `files on` to me to collect them again.'
        : // The press tells the language of the person, which is German at this double.
          '↳ Footbridge: Dateien in diesem Kanal lasse ich ab jetzt in Ruhe. Mit `files on` sammle ich sie wieder.',
    )

    desk.does({ files: [{ ...ferryNote, name: 'ignored.md' }] })
    desk.does({ text: 'files on', mention: true })
    await sees(
      desk,
      told,
      'Ada: (ignored.md)',
      'Ada: @Footbridge files on',
      "↳ Footbridge: Files dropped in this channel become this channel's knowledge from now on.",
    )

    desk.does({ files: [{ ...ferryNote, name: 'taken.md', bytes: 'The harbour is deep.\n' }] })
    await sees(desk, told, 'Ada: (taken.md)', `↳ Footbridge: ✅ **taken.md** — ${ready}`)
    await footbridge.stop()
    expect(desk.sees()).toEqual(told)
  })

  test.each(['mention-first', 'message-first'] as const)(
    'every event told three times, %s, has one answer and one receipt',
    async (order) => {
      const desk = closeAtEnd(await DESKS[service]())
      const { env, upstream } = closeAtEnd(await withUpstream())
      const footbridge = await open(desk.env, env)
      upstream.script({ kind: 'chat', text: 'Only once.', delayMs: 20 })
      desk.does({ text: 'How often?', mention: true, times: 3, order })
      const told = [
        'Ada: @Footbridge How often?',
        `↳ Footbridge: Only once.\n\n${NOT_FROM_FILES}${UNDER_ANSWER}`,
      ]
      expect(await eventually(() => desk.sees(), told)).toEqual(told)
      desk.does({ files: [ferryNote], times: 3 })
      told.push('Ada: (ferry.md)', `↳ Footbridge: ✅ **ferry.md** — ready · 1 chunk\n\n${EXPLAINED}`)
      expect(await eventually(() => desk.sees(), told)).toEqual(told)
      await footbridge.stop()
      expect(desk.sees()).toEqual(told)
      expect(upstream.requests.filter(({ path }) => path === '/chat/completions')).toHaveLength(1)
    },
  )
})
