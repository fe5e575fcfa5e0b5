import { setTimeout as sleep } from 'node:timers/promises'
import type { TestContext } from 'vitest'
import { startFootbridge, type Environment } from '../support/whole/footbridge.ts'
import { startUpstreamDouble, type UpstreamDouble } from '../support/upstream/double.ts'
import { promptText, type UpstreamRequest } from '../support/upstream/script.ts'
import { openDiscordSeat } from './discord-seat.ts'
import type { Place, Seat, Seen } from './seat.ts'
import { openSlackSeat } from './slack-seat.ts'
import { openWebSeat } from './web-seat.ts'

export const SEATS = { web: openWebSeat, slack: openSlackSeat, discord: openDiscordSeat } as const
export type Service = keyof typeof SEATS
export const SERVICES: readonly Service[] = ['web', 'slack', 'discord']

const PATIENCE_MS = 45_000

const EMPTY = new Set([
  'when',
  'whic',
  'what',
  'from',
  'does',
  'afte',
  'once',
  'more',
  'thes',
  'this',
  'with',
])

/** The beginnings of words that tell something. */
const stems = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
      .map((word) => word.slice(0, 4))
      .filter((stem) => !EMPTY.has(stem)),
  )

/** A model that reads: it says again what the first passage says that shares two words with the question, and cites it. */
function reader(spoken: string[]) {
  return (request: UpstreamRequest) => {
    if (request.path === '/audio/transcriptions') {
      return { kind: 'transcript', text: spoken.at(-1) ?? 'Hello?', more: { language: 'english' } } as const
    }
    const prompt = promptText(request)
    if (prompt.startsWith('Translate what'))
      return { kind: 'chat', text: 'Wann brennt die Lampe im Leuchtturm?' } as const
    // Asked to make a follow-up complete: all words of the conversation are a query.
    const [, last] = /\n\nLast question: (.*)$/s.exec(prompt) ?? []
    if (last !== undefined) {
      const first = /^Person: (.*)$/m.exec(prompt)?.[1] ?? ''
      return { kind: 'chat', text: `${last} ${first}` } as const
    }
    const passages = [...prompt.matchAll(/^Passage \[RREF(\d+)\][^\n]*\n<<<\w+\n([\s\S]*?)\n\w+>>>/gm)]
    const question = prompt.split('The question:').at(-1) ?? prompt
    const words = stems(question)
    const found = passages.find(([, , body = '']) => {
      const theirs = stems(body)
      return [...words].filter((word) => theirs.has(word)).length >= 2
    })
    if (found === undefined)
      return { kind: 'chat', text: passages.length > 0 ? 'NOT_IN_FILES' : 'Hello.' } as const
    const [, number = '', body = ''] = found
    const shared = (line: string) => [...stems(line)].filter((stem) => words.has(stem)).length
    const lines = body.replace(/^#.*$/gm, '').split('\n')
    const sentence = lines.toSorted((one, other) => shared(other) - shared(one))[0] ?? ''
    return { kind: 'chat', text: `${sentence} [RREF${number}]` } as const
  }
}

export interface Stage {
  readonly seat: Seat
  readonly upstream: UpstreamDouble
  /** The last one is what memos say: heard again after a restart, they say the same. */
  readonly spoken: string[]
  readonly dataDir: string
  readonly url: () => string
  /** Somebody does something; where the run is a rough one, Footbridge is killed in the middle of what comes of it. */
  readonly act: <Result>(doing: () => Promise<Result>) => Promise<Result>
  /** The newest message of Footbridge that looks like this, once there is one, whole. */
  readonly sees: (pattern: RegExp, more?: (seen: Seen) => boolean, place?: Place) => Promise<Seen>
  /** How many messages of Footbridge look like this now. */
  readonly count: (pattern: RegExp) => Promise<number>
  /** Log lines that an operator has to look at. */
  readonly alarms: () => readonly string[]
}

/** @param rough kill -9 some milliseconds after each thing that somebody does, and a restart. */
export async function openStage(
  service: Service,
  rough: boolean,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  settings: Environment = {},
): Promise<Stage> {
  const seat = await SEATS[service]()
  const spoken: string[] = []
  const upstream = await startUpstreamDouble({ answerBy: reader(spoken) })
  const footbridge = await startFootbridge({
    ...seat.env,
    UPSTREAM_BASE_URL: upstream.baseUrl,
    UPSTREAM_CHAT_MODEL: 'double-chat',
    UPSTREAM_TRANSCRIPTION_MODEL: 'double-whisper',
    ...settings,
  })
  onTestFinished(async () => {
    await footbridge.close()
    await upstream.close()
    await seat.close()
  })
  await seat.attach(footbridge)
  let deaths = 0

  async function find(
    pattern: RegExp,
    more: (seen: Seen) => boolean,
    place?: Place,
  ): Promise<Seen | undefined> {
    return (await seat.shown(place)).findLast(
      (seen) => pattern.test(seen.text) && !seen.text.includes('▌') && more(seen),
    )
  }

  return {
    seat,
    upstream,
    spoken,
    dataDir: footbridge.dataDir,
    url: () => footbridge.url,
    async act(doing) {
      const result = await doing()
      if (!rough) return result
      // A different moment each time: before the event is stored, between two steps, while a message is shown.
      await sleep([5, 25, 60, 120, 200, 320][deaths % 6])
      deaths += 1
      await footbridge.restart()
      await seat.attach(footbridge)
      return result
    },
    async sees(pattern, more = () => true, place = 'channel') {
      const until = Date.now() + PATIENCE_MS
      for (;;) {
        const seen = await find(pattern, more, place)
        if (seen !== undefined) return seen
        if (Date.now() > until) {
          const all = (await seat.shown(place)).map(
            ({ text, buttons }) => `${text}\n  [${buttons.join('] [')}]`,
          )
          throw new Error(`Nobody saw ${String(pattern)}. What stands there:\n\n${all.join('\n\n')}`)
        }
        await sleep(40)
      }
    },
    count: async (pattern) => (await seat.shown()).filter(({ text }) => pattern.test(text)).length,
    alarms: () =>
      footbridge.alarms().map(({ level, msg, err }) => `${level} ${msg} ${JSON.stringify(err ?? '')}`),
  }
}
