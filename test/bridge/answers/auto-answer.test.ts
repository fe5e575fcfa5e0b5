import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createBridge } from '../../../src/bridge/bridge.ts'
import { readConfig } from '../../../src/config.ts'
import { openEmbeddedPlatform } from '../../../src/embedded.ts'
import { createLog } from '../../../src/log.ts'
import { createPlatformClient } from '../../../src/platform/client/client.ts'
import { listen } from '../../../src/platform/server/listen.ts'
import { openStore } from '../../../src/store/store.ts'
import { markdown, until } from '../../support/bridge/set-up.ts'
import { createFakeAdapter } from '../../support/fakes/adapter.ts'
import { createLogSink } from '../../support/fakes/log.ts'

const PLACES = [
  'ferry office',
  'harbour crane',
  'fish market',
  'sailing school',
  'lighthouse',
  'dry dock',
  'customs house',
  'boat yard',
  'fuel pier',
  'north mole',
]
const PEOPLE = [
  'Ines Brandt',
  'Jon Adair',
  'Petra Voss',
  'Milo Serra',
  'Nadia Kern',
  'Oskar Lind',
  'Rosa Melo',
  'Tariq Hale',
  'Uma Frey',
  'Willem Dorn',
]
/** What the files say of each place: a sentence, and the question to it. */
const FACTS = [
  (place: string, index: number) => [
    `The ${place} opens at ${6 + index}:15 every morning.`,
    `When does the ${place} open?`,
  ],
  (place: string, index: number) => [
    `${PEOPLE[index]} is responsible for the ${place}.`,
    `Who is responsible for the ${place}?`,
  ],
  (place: string, index: number) => [
    `The annual inspection of the ${place} takes place in week ${10 + index}.`,
    `In which week does the annual inspection of the ${place} take place?`,
  ],
  (place: string, index: number) => [
    `A spare key of the ${place} hangs in cabinet ${index + 3}B.`,
    `Where does the spare key of the ${place} hang?`,
  ],
  (place: string, index: number) => [
    `Visitors of the ${place} pay ${index + 4} euros.`,
    `How much do visitors of the ${place} pay?`,
  ],
] as const
/** The same questions in other words. */
const REWORDED = [
  (place: string) => `Hi all, do you know at what time the ${place} opens in the morning?`,
  (place: string) => `The ${place} needs a decision. Who is responsible there?`,
  (place: string) => `When is the inspection of the ${place}, which week was it?`,
  (place: string) => `I’m locked out of the ${place} – where is the spare key?`,
  (place: string) => `what do visitors pay at the ${place}?`,
] as const
/** Questions of people to people: nothing in the files answers them. */
const ELSEWHERE = [
  (place: string) => `Has anybody seen my umbrella near the ${place}?`,
  () => 'Who is up for pizza tonight?',
  (_: string, index: number) => `Can you cover my shift on the ${index + 3}th?`,
  () => 'How was your holiday in Norway?',
  (place: string) => `What colour was the ${place} painted in 1950?`,
  () => 'Did the printer run out of toner again?',
  (_: string, index: number) => `Shall we meet at ${index + 8} o’clock instead?`,
  (place: string) => `Which architect designed the ${place}?`,
  () => 'Is anyone else’s laptop this slow today?',
  () => 'What is the wifi password of the guest network?',
] as const
const CHATTER = [
  'Good morning all',
  'Thanks, that helps a lot!',
  'I am on my way.',
  'The coffee machine works again 🎉',
  'lol',
  'Will do after lunch.',
  'Great work yesterday, everybody.',
  'I moved the meeting to Thursday',
  'Back in ten minutes',
  'We talked about the crane, all good now.',
  'ok',
  'See you tomorrow!',
  'The ferry was late again, as always',
  'Please do not forget the time sheets.',
  'Haha, exactly',
] as const

const SETTLING_MS = 240_000

it(
  'every question that the files answer is answered, and the rest of a channel of 500 messages meets silence',
  { timeout: SETTLING_MS },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'footbridge-auto-'))
    const config = readConfig({ DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent', PORT: '0' })
    const platform = await openEmbeddedPlatform(config, createLog('silent'), 'bridge')
    const server = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => platform.fetch(request) })
    const client = createPlatformClient({
      baseUrl: `${server.url.replace(/\/$/, '')}/v1`,
      apiKey: platform.engine.firstKey.key,
      profile: 'collection',
    })
    const store = openStore(directory)
    const adapter = createFakeAdapter()
    const { chat } = adapter
    const bridge = createBridge({
      adapters: [adapter],
      platform: client,
      store,
      log: createLogSink(),
      admins: new Set(['fake:U1']),
    })
    await bridge.start()
    onTestFinished(async () => {
      await bridge.stop(0)
      await client.close()
      await server.close()
      await platform.close()
      store.close()
      rmSync(directory, { recursive: true })
    })
    const shown = () => chat.visible().map(({ text }) => text)
    const facts = PLACES.map((place, index) => FACTS.map((fact) => fact(place, index)))
    chat.drop(
      facts.map((all, index) =>
        markdown(`place-${index}.md`, `# The ${PLACES[index]}\n\n${all.map(([said]) => said).join('\n\n')}\n`),
      ),
    )
    await until(() => shown().some((text) => (text.match(/ready/g) ?? []).length === PLACES.length), shown)
    chat.mention('settings answers questions')
    await until(() => shown().some((text) => text.includes('Every question that the files answer')), shown)

    const answerable = facts.flat().map(([, question = '']) => ({ text: question, isAnswerable: true }))
    const reworded = PLACES.flatMap((place) => REWORDED.map((ask) => ({ text: ask(place), isAnswerable: true })))
    const others = PLACES.flatMap((place, index) =>
      ELSEWHERE.map((ask) => ({ text: ask(place, index), isAnswerable: false })),
    )
    const script = Array.from({ length: 500 }, (_, index) => {
      const turn = Math.floor(index / 10)
      // Of ten messages two are answered by the files, three ask for something else, five are chatter.
      if (index % 10 === 3) return answerable[turn]
      if (index % 10 === 8) return reworded[turn]
      if ([1, 5, 6].includes(index % 10)) return others[(turn * 3 + (index % 10)) % others.length]
      return { text: CHATTER[index % CHATTER.length] ?? '', isAnswerable: false }
    })
    const database = new DatabaseSync(join(directory, 'bridge.sqlite'), { readOnly: true })
    onTestFinished(() => database.close())
    const open = database.prepare(`SELECT count(*) AS count FROM job WHERE state IN ('queued', 'running')`)
    const before = chat.visible().length
    const said = script.map((one) => ({
      isAnswerable: one?.isAnswerable === true,
      text: one?.text ?? '',
      said: chat.say(one?.text ?? '', { author: { id: 'U2', name: 'Ben', language: 'en' } }),
    }))
    await Promise.all(said.map(({ said: { taken } }) => taken))
    await until(() => open.get()?.['count'] === 0)
    const answered = new Set(
      chat
        .visible()
        .slice(before)
        .map(({ outgoing }) => outgoing.replyTo),
    )
    const [due, rest] = [said.filter((one) => one.isAnswerable), said.filter((one) => !one.isAnswerable)]
    const hit = due.filter((one) => answered.has(one.said.id)).length / due.length
    const silent = rest.filter((one) => !answered.has(one.said.id)).length / rest.length
    process.stdout.write(
      `Auto-answer: ${due.length} answerable, answered ${(hit * 100).toFixed(1)} %; ${rest.length} others, silent on ${(silent * 100).toFixed(1)} %\n${due
        .filter((one) => !answered.has(one.said.id))
        .map(({ text }) => `missed: ${text}`)
        .join(
          '\n',
        )}\n${[...new Set(rest.filter((one) => answered.has(one.said.id)).map(({ text }) => `spoke: ${text}`))].join('\n')}\n`,
    )
    expect(hit).toBeGreaterThanOrEqual(0.95)
    expect(silent).toBeGreaterThanOrEqual(0.98)
    expect(shown().join('\n')).not.toMatch(/Not in this channel/)
  },
)
