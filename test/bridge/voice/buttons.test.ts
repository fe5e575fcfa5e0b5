import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { ANNA } from '#test/support/fakes/chat.ts'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'

const memo = new Uint8Array([1, 2, 3])
const BEN = { id: 'U2', name: 'Ben', language: 'en' }

async function heard(spoken: string, options: Parameters<typeof setUpBridge>[0] = {}) {
  const set = await setUpBridge(options)
  set.platform.script.transcribe({ text: spoken, language: 'english', durationMs: 2000 })
  set.platform.script.answer('First answer.')
  const said = set.chat.voice(memo)
  await set.settled(said.inbound.key)
  const [transcript, answer] = set.chat.visible()
  if (transcript === undefined || answer === undefined) throw new Error('Nothing was said.')
  const press = async (label: string, author = ANNA, text?: string) => {
    const pressed = set.chat.press(transcript.id, label, author, text)
    await set.settled(pressed.inbound.key)
  }
  return { ...set, transcript, answer, press }
}

describe('a transcript that was misheard', () => {
  it('is put right in a dialog by who recorded it; words and answer change in their places', async () => {
    const { texts, platform, press, transcript } = await heard('Where is the fairy?')
    expect(transcript.outgoing.actions?.find(({ label }) => label === 'Edit')?.prompt).toEqual({
      title: 'What was said',
      label: 'The corrected words',
      prefill: 'message',
    })
    platform.script.answer('At pier seven.')
    await press('Edit', ANNA, '🎙️ “Where is the ferry?”')
    expect(texts()).toEqual(['✏️ “Where is the ferry?”', expect.stringMatching(/^At pier seven\./)])
    expect(platform.script.requests.at(-1)?.messages.at(-1)?.content).toContain('Where is the ferry?')
    expect(platform.script.recordings).toHaveLength(1)
  })

  it('stays as it is when somebody else, or nobody, types something', async () => {
    const { texts, press } = await heard('Where is the fairy?')
    await press('Edit', BEN, 'Where is Ben?')
    expect(texts().at(-1)).toBe('Only the person who recorded it can correct it.')
    await press('Edit', ANNA, '  ')
    expect(texts().at(-1)).toMatch(/^Nothing was typed/)
    expect(texts()[0]).toBe('🎙️ “Where is the fairy?”')
  })

  it('is put right while its answer is still being written: one answer stands, to the right words', async () => {
    const { chat, platform, settled, texts } = await setUpBridge()
    platform.script.transcribe('Where is the fairy?')
    const release = platform.script.hold('chat.stream')
    const said = chat.voice(memo)
    await until(() => chat.visible()[0]?.finished, texts)
    platform.script.answer('At pier seven.')
    const pressed = chat.press(chat.visible()[0]?.id ?? '', 'Edit', ANNA, 'Where is the ferry?')
    await settled(said.inbound.key)
    release()
    await settled(pressed.inbound.key)
    expect(texts()).toEqual(['✏️ “Where is the ferry?”', expect.stringMatching(/^At pier seven\./)])
  })

  it.each([
    ['somebody else presses', BEN, 'Where is Ben?', /^Only the person who recorded it/],
    ['nothing is typed', ANNA, ' ', /^Nothing was typed/],
  ])('keeps the answer that is being written when %s', async (_, author, typed, said) => {
    const { chat, platform, settled, texts } = await setUpBridge()
    platform.script.transcribe('Where is the ferry?')
    const release = platform.script.hold('chat.stream')
    const recording = chat.voice(memo)
    await until(() => chat.visible()[0]?.outgoing.actions !== undefined, texts)
    platform.script.answer('At pier seven.', 'At pier seven.')
    const pressed = chat.press(chat.visible()[0]?.id ?? '', 'Edit', author, typed)
    await settled(recording.inbound.key)
    release()
    await settled(pressed.inbound.key)
    expect(texts().filter((text) => said.test(text))).toHaveLength(1)
    expect(texts().filter((text) => text.startsWith('At pier seven.'))).toHaveLength(1)
    expect(texts()).toContain('🎙️ “Where is the ferry?”')
  })

  it('keeps what was put right over a restart', async () => {
    const set = await heard('Where is the fairy?')
    set.platform.script.answer('At pier seven.')
    await set.press('Edit', ANNA, 'Where is the ferry?')
    await set.restart()
    await set.press('Edit', ANNA, 'Where is the ferry?')
    expect(set.texts().at(-1)).toMatch(/^Nothing was typed/)
  })
})

describe('a recording that is kept', () => {
  it('is a file of the channel with the time of each stretch, and its references point at the second', async () => {
    const { chat, platform, settled, shows, texts } = await setUpBridge()
    platform.script.transcribe({
      text: 'We met at the pier. The ferry leaves at ten.',
      segments: [
        { startMs: 0, endMs: 42_000, text: ' We met at the pier.' },
        { startMs: 42_000, endMs: 50_000, text: ' The ferry leaves at ten.' },
      ],
    })
    await settled(chat.voice(memo).inbound.key)
    const transcript = chat.visible()[0]
    expect(transcript?.text).toBe('🎙️ “`0:00` We met at the pier.  \n`0:42` The ferry leaves at ten.”')
    for (let press = 0; press < 2; press += 1) {
      await settled(chat.press(transcript?.id ?? '', 'Keep as a file').inbound.key)
    }
    const receipt = await shows(/We met at the pier.*ready/)
    const [collection = ''] = platform.script.collections()
    const [file] = platform.script.stored(collection)
    expect(platform.script.stored(collection)).toHaveLength(1)
    expect(new TextDecoder().decode(file?.bytes)).toMatch(
      /^---\ntitle: "Recording by Anna"\n[\s\S]*---\n\n?# Recording by Anna\n\n\[0:00\] We met at the pier\.\n\n\[0:42\] The ferry leaves at ten\.\n$/,
    )
    expect(receipt.text).not.toContain('[0:42]')
    const block = `\n\nReferences:\n[RREF1] ${file?.name} (0.2)\n[0:00] We met at the pier.\n\n[0:42] The ferry leaves at ten.`
    platform.script.answer(`At ten [RREF1].${block}`)
    await settled(chat.mention('When does the ferry leave?').inbound.key)
    const answer = chat.visible().find(({ text }) => text.startsWith('At ten'))
    expect(answer?.outgoing.references).toMatchObject([{ number: 1, file: file?.name, place: '0:42' }])
    expect(texts().some((text) => text.includes('undefined'))).toBe(false)
  })
})

describe('a recording in another language than the files', () => {
  const german = '# Fähre\n\nDie Fähre fährt um 9:40 von dem Steg an der Mole ab, und sie ist nicht am Montag da.'

  it('can be translated, and its answer is found then', async () => {
    const set = await setUpBridge()
    set.chat.drop([markdown('faehre.md', german)])
    await set.shows(/ready/)
    set.platform.script.transcribe({ text: 'When does the ferry leave?', language: 'english' })
    set.platform.script.answer('Nothing about it.')
    const said = set.chat.voice(memo)
    await set.settled(said.inbound.key)
    const transcript = set.chat.visible().find(({ text }) => text.startsWith('🎙️'))
    const block = '\n\nReferences:\n[RREF1] faehre.md (0.2)\nDie Fähre fährt um 9:40 von dem Steg an der Mole ab'
    set.platform.script.answer('Wann fährt die Fähre ab?', `Um 9:40 [RREF1].${block}`)
    const pressed = set.chat.press(transcript?.id ?? '', 'Translate and ask again', ANNA)
    await set.settled(pressed.inbound.key)
    expect(set.texts()).toContain('✏️ “Wann fährt die Fähre ab?”')
    expect(set.texts().some((text) => text.startsWith('Um 9:40 [1].'))).toBe(true)
  })

  it('has no live link in its translation, which no source gives', async () => {
    const set = await setUpBridge()
    set.chat.drop([markdown('faehre.md', german)])
    await set.shows(/ready/)
    set.platform.script.transcribe({ text: 'When does the ferry leave?', language: 'english' })
    set.platform.script.answer('Nothing about it.')
    await set.settled(set.chat.voice(memo).inbound.key)
    const transcript = set.chat.visible().find(({ text }) => text.startsWith('🎙️'))
    set.platform.script.answer('Wann fährt sie, siehe [hier](https://evil.example/x)?', 'Um 9:40.')
    const pressed = set.chat.press(transcript?.id ?? '', 'Translate and ask again', ANNA)
    await set.settled(pressed.inbound.key)
    expect(set.texts().some((text) => text.includes('Wann fährt sie'))).toBe(true)
    expect(set.texts().filter((text) => text.includes('](https://evil'))).toEqual([])
  })

  it('is not offered a translation where it speaks their language, or nobody knows', async () => {
    const set = await setUpBridge()
    set.chat.drop([markdown('faehre.md', german)])
    await set.shows(/ready/)
    for (const language of ['german', undefined]) {
      set.platform.script.transcribe({ text: 'Wann fährt sie?', ...(language ? { language } : {}) })
      const said = set.chat.voice(memo)
      await set.settled(said.inbound.key)
    }
    const labels = set.chat.visible().flatMap(({ outgoing }) => outgoing.actions?.map(({ label }) => label) ?? [])
    expect(labels).not.toContain('Translate and ask again')
    expect(labels).toContain('Edit')
  })
})

describe('a spoken answer', () => {
  it('is a sound file without marks, where the platform can read out', async () => {
    const { chat, settled, answer, platform, texts } = await heard('Where is it?', { readsOut: true })
    const pressed = chat.press(answer.id, '🔊 Listen')
    await settled(pressed.inbound.key)
    expect(texts().at(-1)).toBe('🔊 The answer, read out')
    const [file] = chat.uploads.values()
    expect(file?.name).toBe('answer.mp3')
    expect(new TextDecoder().decode(file?.bytes)).toBe(
      `sound of First answer.\n\nNot from files: there are none here yet.`,
    )
    expect(platform.script.calls.filter(({ call }) => call === 'voice.speak')).toHaveLength(1)
  })

  it('is one file, also when the process dies before it knows that it is out', async () => {
    const set = await heard('Where is it?', { readsOut: true })
    // Carried out, and its answer never comes.
    set.chat.fail('upload', new AdapterError('ambiguous', 'Nobody knows.'), { after: true })
    const pressed = set.chat.press(set.answer.id, '🔊 Listen')
    await until(() => set.chat.uploads.size === 1)
    await set.restart()
    await set.settled(pressed.inbound.key)
    expect(set.texts().filter((text) => text.includes('read out'))).toHaveLength(1)
    // Speech that is posted is not made once more.
    expect(set.platform.script.calls.filter(({ call }) => call === 'voice.speak')).toHaveLength(1)
  })

  it('is not offered where nothing can, nor to a typed question', async () => {
    const { answer } = await heard('Where is it?')
    expect(answer.outgoing.actions?.map(({ label }) => label)).not.toContain('🔊 Listen')
    const typed = await setUpBridge({ readsOut: true })
    typed.chat.mention('Where is it?')
    const shown = await typed.shows(/You said/)
    expect(shown.outgoing.actions?.map(({ label }) => label)).not.toContain('🔊 Listen')
  })
})

describe('a recording among people', () => {
  const amongPeople = { addressed: false, isAmongPeople: true } as const

  it('is not listened to before somebody wants an answer; then it is answered once, as if it had been sent to us', async () => {
    const { chat, platform, settled, texts, restart } = await setUpBridge()
    const said = chat.voice(memo, amongPeople)
    await settled(said.inbound.key)
    const [offer] = chat.visible()
    expect(offer).toMatchObject({ text: expect.stringMatching(/voice message/), outgoing: { replyTo: said.id } })
    expect(platform.script.recordings).toEqual([])
    await restart()
    platform.script.transcribe({ text: 'When does it leave?', language: 'english', durationMs: 2000 })
    platform.script.answer('At nine.')
    const pressed = chat.press(offer?.id ?? '', 'Answer this?', BEN)
    expect(await settled(pressed.inbound.key)).toMatchObject({ state: 'done' })
    expect(texts()).toEqual(['🎙️ “When does it leave?”', expect.stringMatching(/^At nine\./)])
    platform.script.answer('At ten.')
    const answer = chat.visible().at(-1)?.id ?? ''
    await settled(chat.say('And tomorrow?', { replyTo: answer }).inbound.key)
    expect(texts().at(-1)).toMatch(/^At ten\./)
    await settled(chat.unsay(said).inbound.key)
    expect(texts().filter((text) => text.includes('At nine'))).toEqual([])
  })

  it('that replies to an answer is a follow-up', async () => {
    const { chat, platform, settled, texts } = await setUpBridge()
    platform.script.answer('At nine.')
    await settled(chat.mention('When?').inbound.key)
    platform.script.transcribe({ text: 'And tomorrow?', language: 'english', durationMs: 2000 })
    platform.script.answer('At ten.')
    const replyTo = chat.visible().at(-1)?.id ?? ''
    await settled(chat.voice(memo, { ...amongPeople, replyTo }).inbound.key)
    expect(texts()).toContainEqual('🎙️ “And tomorrow?”')
  })
})
