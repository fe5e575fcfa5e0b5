/** Acts of people for the pictures of docs/discord.md, each in a channel of its own. */
import { setTimeout } from 'node:timers/promises'
import { VISIBILITY_CACHE_MS } from '#bridge/channels/authorize.ts'
import type { Modal } from '#test/doubles/discord/modals.ts'
import type { TranscriptEntry } from '#test/doubles/discord/types.ts'
import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { readMemo } from '#test/support/speech.ts'
import { createPerson, type Person } from '#test/support/people/person.ts'
import { dialogsOf, headOf, type Look, messagesOf, pageOf, postHeadOf, typingOf } from './discord-page.ts'
import { HANDBOOK, SECOND_HANDBOOK, TIMETABLE } from './texts.ts'

export type Pictures = Readonly<Record<string, Readonly<Record<Look, string>>>>

const LOOKS = ['light', 'dark'] as const
/** Both looks at one moment: an answer grows meanwhile. */
const both = (...parts: readonly string[]): Readonly<Record<Look, string>> => {
  const [light, dark] = LOOKS.map((look) => pageOf(look, ...parts))
  return { light: light ?? '', dark: dark ?? '' }
}

interface Scene {
  readonly name: string
  readonly id: string
  readonly ada: Person
  readonly ben: Person
  drop(name?: string, text?: string): Promise<void>
  /** The channel with the messages that are to be seen. */
  picture(shows?: (entry: TranscriptEntry) => boolean): readonly string[]
}

/** Messages after the drop of the handbook, also those to one person. */
const isLater = ({ text, voice, files }: TranscriptEntry) =>
  (files.length === 0 || voice !== undefined) && !text.startsWith('✅')
const isTalk = (entry: TranscriptEntry) => forAll(entry) && isLater(entry)
const forAll = ({ only }: TranscriptEntry) => only === undefined

async function openScene(workspace: DiscordWorkspace, name: string, members?: readonly string[]): Promise<Scene> {
  const channel = await workspace.addChannel(name, members && { kind: 'private', members })
  const ada = createPerson(workspace, 'Ada', channel)
  return {
    name,
    id: channel.id,
    ada,
    ben: createPerson(workspace, 'Ben', channel),
    async drop(file = 'handbook.md', text = HANDBOOK) {
      await ada.drops({ name: file, bytes: text, mimeType: 'text/markdown' })
      await ada.sees(new RegExp(`${RegExp.escape(file)}.*ready`))
    },
    picture: (shows = forAll) => [headOf(name), messagesOf(workspace.discord, channel.id, shows)],
  }
}

/** The dialog that a press opened. */
async function dialogOf({ discord }: DiscordWorkspace, message: string, label: string, person: string): Promise<Modal> {
  const pressed = discord.pressButton(message, label, person)
  await pressed.acknowledged
  const modal = pressed.modal()
  if (modal === undefined) throw new Error(`${label} opened no dialog.`)
  return modal
}

async function talk(workspace: DiscordWorkspace): Promise<Pictures> {
  const { discord } = workspace
  const scene = await openScene(workspace, 'harbour')
  const { ada, ben, id } = scene
  await scene.drop()
  await ben.asks('From which pier does the ferry leave?')
  const { id: answer } = await ben.seesAnswer(/pier seven/)
  await ben.asks('Who paints the lighthouse?')
  await ben.seesAnswer(/found no passage|not sure that|Not in this channel/)
  await ben.presses('Passages')
  await ben.sees(/handbook\.md/, ({ only }) => only === 'Ben')
  const reason = await dialogOf(workspace, answer, '👎', 'Ben')
  discord.say({ user: 'Ada', channel: id, mention: true, text: 'Which boats sail in spring?' })
  await discord.until(() => /mail boat.*Sundays/s.test(discord.transcript(id).at(-1)?.text ?? ''))
  const channel = both(...scene.picture())
  await ada.seesAnswer(/lighthouse keeper/)
  return {
    channel,
    panels: both(
      messagesOf(discord, id, ({ panel, only }) => panel === true && only === 'Ben'),
      await settingsPanel(workspace),
    ),
    dialogs: both(dialogsOf([reason, await transcriptDialog(workspace)])),
  }
}

async function settingsPanel(workspace: DiscordWorkspace): Promise<string> {
  const { discord } = workspace
  const scene = await openScene(workspace, 'settings')
  const crew = discord.addRole(0n, 'Harbour crew')
  await scene.ada.calls('settings')
  await scene.ada.sees(/Mentions and follow-ups/, ({ buttons }) => buttons.includes('Change settings'))
  const panels = () => discord.transcript(scene.id).filter(({ panel }) => panel)
  await scene.ada.presses('Change settings')
  const first = (await discord.until(() => panels()[0])).id
  discord.choose(first, 'Roles that may remove files of others', 'Ada', [crew])
  await discord.until(() => discord.transcript(scene.id).at(-1)?.text.includes('saved'))
  await scene.ada.presses('Change settings')
  const { id } = await discord.until(() => panels()[1])
  return messagesOf(discord, scene.id, (entry) => entry.id === id)
}

async function receipts(workspace: DiscordWorkspace): Promise<Pictures> {
  const { discord } = workspace
  const scene = await openScene(workspace, 'repairs')
  const { ada, ben, id } = scene
  await scene.drop()
  await ben.drops({ name: 'handbook.md', bytes: SECOND_HANDBOOK, mimeType: 'text/markdown' })
  await ben.sees(/replaces version 1/, ({ buttons }) => buttons.includes('Undo'))
  const end = discord.script('GET /attachments', { kind: 'status', status: 500, times: 50 })
  await ada.drops(
    { name: 'crane.md', bytes: '# The crane\n\nIt lifts 12 tons.', mimeType: 'text/markdown' },
    { name: 'budget.pages', bytes: 'x', mimeType: 'application/octet-stream' },
  )
  await ada.sees(/crane\.md/, ({ buttons }) => buttons.some((label) => label.startsWith('Retry')))
  end()
  const said = discord.say({ user: 'Ben', channel: id, text: 'The key to the boathouse hangs behind the stove.' })
  discord.react(said.id, 'Ada')
  await ben.sees(/ready/, ({ text }) => !text.includes('handbook'))
  return { files: both(...scene.picture()) }
}

async function longAnswer(workspace: DiscordWorkspace): Promise<Pictures> {
  const scene = await openScene(workspace, 'timetable')
  await scene.drop('timetable.md', TIMETABLE)
  await scene.ben.asks('Give me all departures of the week, and what to bear in mind.')
  await scene.ben.seesAnswer(/harbour office/)
  await scene.ben.sees(/\[1\] \*\*timetable/)
  return { answer: both(...scene.picture(isTalk)) }
}

async function people(workspace: DiscordWorkspace): Promise<Pictures> {
  const scene = await openScene(workspace, 'lighthouse')
  const { ada, ben } = scene
  await scene.drop()
  await ben.asks('Who paints the lighthouse?')
  await ben.seesAnswer(/found no passage|not sure that|Not in this channel/)
  await ben.presses('Ask a person')
  const { id: wanted } = await ben.sees(/Who knows this/)
  await ada.says('Kim of the harbour crew paints it, every second May.', { after: wanted })
  await ben.sees(/Shall I save/, ({ buttons }) => buttons.includes('Save this answer'))
  return { people: both(...scene.picture(isTalk)) }
}

const recording = { bytes: readMemo('lighthouse.ogg'), seconds: 4 }

async function voiceMessages(workspace: DiscordWorkspace): Promise<Pictures> {
  const { discord } = workspace
  const scene = await openScene(workspace, 'voices')
  await scene.drop()
  await scene.ben.records(recording.bytes)
  await scene.ben.seesAnswer(/pier seven/)
  discord.say({ user: 'Ada', channel: scene.id, voice: { ...recording, seconds: 21 } })
  await scene.ada.sees(/voice message/i, ({ buttons }) => buttons.includes('Answer this?'))
  return { voice: both(...scene.picture(isTalk)) }
}

async function transcriptDialog(workspace: DiscordWorkspace): Promise<Modal> {
  const scene = await openScene(workspace, 'dialogs')
  await scene.ada.records(recording.bytes)
  const { id } = await scene.ada.sees(/ferry/, ({ buttons }) => buttons.includes('Edit'))
  return dialogOf(workspace, id, 'Edit', 'Ada')
}

async function forum(workspace: DiscordWorkspace): Promise<Pictures> {
  const { discord } = workspace
  const place = discord.addPlace('help', 'forum', ['ferry', 'solved'])
  const [title, text] = ['From which pier does the ferry leave?', 'I am at the market and have two bicycles with me.']
  const first = discord.post(place, 'The handbook', {
    user: 'Ada',
    files: [{ name: 'handbook.md', bytes: HANDBOOK, mimeType: 'text/markdown' }],
  })
  await discord.until(() => discord.transcript(first).some(({ text: said }) => /ready/.test(said)))
  const post = discord.post(place, title, { user: 'Ben', text, mention: true, tags: ['ferry'] })
  const ben = createPerson(workspace, 'Ben', { id: post, name: 'help', kind: 'public' })
  await ben.seesAnswer(/pier seven/)
  await ben.presses('👍')
  await discord.until(() => discord.tagsOf(post).includes('solved'))
  return { forum: both(headOf('help'), postHeadOf(title, discord.tagsOf(post)), messagesOf(discord, post, forAll)) }
}

async function commands(workspace: DiscordWorkspace): Promise<Pictures> {
  const scene = await openScene(workspace, 'office')
  const { ada, id } = scene
  await scene.drop()
  const last = workspace.discord.transcript(id).at(-1)?.id ?? ''
  await ada.calls('ask', { options: { question: 'When does the ferry to the island leave?' } })
  await ada.sees(/9:40/, ({ only }) => only === 'Ada')
  await ada.calls('files')
  await ada.sees(/1 file/)
  await ada.calls('settings')
  await ada.sees(/Mentions and follow-ups/)
  await ada.calls('forget', { options: { file: 'handbook.md' } })
  await ada.sees(/handbook/, ({ buttons }) => buttons.includes('Forget it'))
  return { commands: both(...scene.picture((entry) => entry.only === 'Ada' && BigInt(entry.id) > BigInt(last))) }
}

async function help(workspace: DiscordWorkspace): Promise<Pictures> {
  const { discord } = workspace
  const scene = await openScene(workspace, 'pier')
  const { ada, id } = scene
  await scene.drop()
  await scene.drop('harbour-rules.md', '# Rules\n\nDogs are welcome.')
  await scene.drop('timetable.md', TIMETABLE)
  await ada.calls('help')
  await ada.sees(/help more/)
  await ada.calls('usage')
  await ada.sees(/used/)
  await ada.calls('model')
  await ada.sees(/answers here now/)
  const typed = discord.complete('forget', 'file', 'ha', { user: 'Ada', channel: id })
  const choices = await discord.until(() => typed.choices())
  return { help: both(...scene.picture(({ only }) => only === 'Ada'), typingOf('forget', 'file', 'ha', choices)) }
}

/** No question, and no answer from files. */
const isSmall = (entry: TranscriptEntry) => isLater(entry) && !entry.text.endsWith('?') && !entry.buttons.includes('👍')

async function smallThings(workspace: DiscordWorkspace): Promise<Pictures> {
  const { discord } = workspace
  const scene = await openScene(workspace, 'quay')
  const { ada, ben, id } = scene
  await scene.drop()
  const said = discord.say({ user: 'Kim', channel: id, text: 'Die Lampe am Kai brennt ab acht Uhr.' })
  await ben.calls('Translate', { target: said.id })
  await ben.sees(/Translated into/)
  await ben.calls('language')
  await ben.sees(/to you\./)
  await ben.calls('collection')
  await ben.sees(/its own files/)
  await ben.asks('From which pier does the ferry leave?')
  const { id: answer } = await ben.seesAnswer(/pier seven/)
  const pressed = discord.pressButton(answer, '👎', 'Ben')
  await discord.until(() => pressed.modal())
  discord.submitModal(pressed, 'It has moved to pier four.')
  await ben.sees(/Thanks, noted/)
  await ada.asks('Who paints the lighthouse?')
  await ada.seesAnswer(/found no passage|not sure that|Not in this channel/)
  await ada.asks('gaps')
  await ada.sees(/did not answer/, ({ buttons }) => buttons.length > 0)
  return { small: both(...scene.picture(isSmall)) }
}

async function refusals(workspace: DiscordWorkspace): Promise<Pictures> {
  const { discord } = workspace
  discord.setMember('Gus', { roles: [], pending: true })
  const guests = await openScene(workspace, 'crew')
  await guests.drop()
  await createPerson(workspace, 'Gus', guests.ada.channel).calls('ask', {
    options: { question: 'When does it leave?' },
  })
  await guests.ada.sees(/Guests may not/)
  await guests.ada.asks(`link <#${discord.channel}>`)
  await guests.ada.sees(/Shall I link/)
  const closed = await openScene(workspace, 'staff', ['Ada', 'Ben'])
  await closed.drop()
  workspace.publish(closed.ada.channel)
  await setTimeout(VISIBILITY_CACHE_MS)
  await closed.ben.asks('From which pier does the ferry leave?')
  await closed.ben.sees(/More people can read/)
  const thread = { id: discord.addThread(guests.id, 'talk'), name: 'talk', kind: 'public' } as const
  discord.restrict(thread.id, { locked: true })
  await createPerson(workspace, 'Ben', thread).asks('From which pier does the ferry leave?')
  const direct = createPerson(workspace, 'Ben', workspace.directOf('Ben'))
  await direct.sees(/closed or locked/)
  const told = [headOf('Footbridge', '@'), messagesOf(discord, direct.channel.id)]
  return { refused: both(...guests.picture(isLater), ...closed.picture(isLater), ...told) }
}

const SCENES = { talk, receipts, longAnswer, people, voiceMessages, forum, commands, help, smallThings, refusals }

/** @param wanted names of scenes; all unless told */
export async function playAll(workspace: DiscordWorkspace, wanted: readonly string[]): Promise<Pictures> {
  let all: Pictures = {}
  for (const [name, play] of Object.entries(SCENES))
    if (wanted.length === 0 || wanted.includes(name)) all = { ...all, ...(await play(workspace)) }
  return all
}
