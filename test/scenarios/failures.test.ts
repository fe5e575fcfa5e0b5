/** Failures are told in one sentence, once, to people and to the operator, and no secret is logged. */
import { describe, expect, test } from 'vitest'
import type { UpstreamAnswer } from '../doubles/upstream/script.ts'
import { closeAtEnd } from '../support/close-at-end.ts'
import { startInVain } from '../support/footbridge.ts'
import type { DroppedFile } from '../support/people/workspace.ts'
import { readMemo } from '../support/speech.ts'
import { ferry } from './drops.ts'
import { hostedScenario, scenario } from './scenario.ts'
import { WORKSPACES, type Stage } from './stage.ts'

const ON = { on: ['slack', 'discord'] } as const
const EXPLAINED =
  '\n\n_I read the files that are dropped here and answer questions about them. Whoever can read here can ask._'
const OFF = "\n[Don't collect files here]"
const REFUSED_KEY = 'The platform with your files refuses my key. Please tell whoever runs me; the log says what to do.'
const INCOMPLETE =
  '**This answer is not complete.** The model server stopped in the middle of the answer. Please ask again in a moment.'
const QUESTION_FAILED = 'A question could not be answered; whoever asked was told why'
const FILE_FAILED = 'A dropped file could not be ingested; its receipt says why'
const RECORDING_FAILED = 'Voice message could not be transcribed; whoever sent it was told why'
const WRONG_KEY = 'wrong-key-0123456789'

const ASKED = 'Ada: @Footbridge Hello?'
const told = (text: string) => `↳ Footbridge: ${text}`
const recordingIn = ({ workspace }: Stage) =>
  workspace.service === 'slack' ? 'Ada: (audio_message.m4a)' : 'Ada: (voice-message.ogg)'

/** An act, the visible lines after it, and the lines in the operator's log. */
type Step = readonly [act: () => Promise<unknown>, lines: readonly (string | RegExp)[], alarm: string]

/** Everything that is seen and everything that the operator is told, step by step and once all has come to rest. */
async function expectSteps(stage: Stage, steps: readonly Step[]): Promise<void> {
  const { ada, footbridge, secrets } = stage
  const expected: (string | RegExp)[] = []
  const expectSeen = (seen: readonly string[]) =>
    expect(seen).toEqual(expected.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))))
  for (const [act, lines] of steps) {
    await act()
    expected.push(...lines)
    expectSeen(await ada.transcript(expected))
  }
  expect(await footbridge.stop()).toBe(0)
  expectSeen(await ada.transcript())
  expect(footbridge.alarms().map(({ msg }) => msg)).toEqual(steps.map(([, , alarm]) => alarm))
  expect(footbridge.output.stderr).toEqual([])
  const output = footbridge.output.all.join('\n')
  for (const secret of secrets) expect(output).not.toContain(secret)
}

describe('a start with a token that the service refuses', () => {
  test.each([
    ['slack', 'SLACK_BOT_TOKEN', 'xoxb-wrong-0123456789'],
    ['slack', 'SLACK_APP_TOKEN', 'xapp-wrong-0123456789'],
    ['discord', 'DISCORD_TOKEN', 'wrong-token-0123456789'],
  ] as const)('%s: ends with one sentence that names %s', async (service, setting, wrong) => {
    const workspace = closeAtEnd(await WORKSPACES[service]())
    const { code, stderr, log, said, all } = await startInVain({ ...workspace.env, [setting]: wrong })
    expect(code).toBe(1)
    expect(stderr).toHaveLength(1)
    expect(stderr[0]).toContain(setting)
    expect(said).toEqual([])
    expect(log.filter(({ level }) => level >= 40)).toEqual([])
    for (const secret of [wrong, ...workspace.secrets]) expect(all.join()).not.toContain(secret)
  })

  test('settings that do not fit are told together, by name', async () => {
    const { code, stderr } = await startInVain({
      SLACK_BOT_TOKEN: 'xoxb-1',
      PLATFORM_BASE_URL: 'http://127.0.0.1:9/v1',
    })
    expect(code).toBe(1)
    expect(stderr.join('\n')).toMatch(/SLACK_APP_TOKEN: .*\n.*PLATFORM_API_KEY: /)
  })
})

hostedScenario(
  'a wrong key of the platform is told to whoever asks, drops or speaks',
  { ...ON, settings: { PLATFORM_API_KEY: WRONG_KEY } },
  async (stage) => {
    const { ada, secrets } = stage
    const failed = `failed. The platform refuses my key. Tell whoever runs me; the log says what to do.`
    await expectSteps({ ...stage, secrets: [...secrets, WRONG_KEY] }, [
      [() => ada.asks('Hello?'), [ASKED, told(REFUSED_KEY)], QUESTION_FAILED],
      [
        () => ada.drops(ferry),
        ['Ada: (ferry.md)', told(`⚠️ **ferry.md** — ${failed}${EXPLAINED}\n[Retry]\n[Remove]${OFF}`)],
        FILE_FAILED,
      ],
      [() => ada.records(new Uint8Array(3)), [recordingIn(stage), told(REFUSED_KEY)], RECORDING_FAILED],
    ])
  },
)

hostedScenario(
  'a platform that is not there is told to whoever asks',
  { ...ON, profile: 'saia' },
  async ({ platform, ...stage }) => {
    await platform.close()
    const sentence = 'I can’t reach the platform just now. Your message is safe; please ask again in a few minutes.'
    await expectSteps(stage, [[() => stage.ada.asks('Hello?'), [ASKED, told(`${sentence}\n[Retry]`)], QUESTION_FAILED]])
    expect(stage.workspace.calls?.()).toEqual(['create'])
  },
)

/** Faults of the model server, each with its sentence. */
const FAULTS: readonly (readonly [UpstreamAnswer, string])[] = [
  [{ kind: 'fault', fault: 'empty' }, 'The model server answered with nothing at all. Please ask again in a moment.'],
  [{ kind: 'chat', text: '' }, 'The answer of the model is empty. Please ask again, or in other words.'],
  [
    { kind: 'fault', fault: 'cut', after: ['It begins\n\n```js\n', 'let boat = 1\n', 'let'] },
    `It begins\n\n\`\`\`js\nlet boat = 1\nlet\n\`\`\`\n\n${INCOMPLETE}`,
  ],
  [{ kind: 'chat', text: 'The first half', finishReason: null }, `The first half\n\n${INCOMPLETE}`],
  [
    { kind: 'fault', fault: 'error-event', after: ['The first ', 'half'], message: 'CUDA out of memory' },
    'The first half\n\n**This answer is not complete.** The language model failed. It says: “CUDA out of memory.” Please ask again in a moment.',
  ],
  [
    { kind: 'fault', fault: 'status', status: 401 },
    'The language model refused our key. Please tell whoever runs me; the log says what to do.',
  ],
]

scenario(
  'each fault of the model server is one sentence, one alarm, nothing half-said, also when it is gone',
  { ...ON, settings: { PLATFORM_MODEL: 'double-chat' } },
  async ({ upstream, ...stage }) => {
    const { ada } = stage
    const gone =
      'The language model cannot be reached\\. Please try again in a few minutes; if it stays away, tell whoever runs me\\.'
    const asks = FAULTS.map(([fault, sentence]): Step => [
      async () => {
        upstream.script(fault)
        await ada.asks('Hello?')
      },
      [ASKED, told(sentence.includes('refused our key') ? sentence : `${sentence}\n[Retry]`)],
      QUESTION_FAILED,
    ])
    await expectSteps(stage, [
      ...asks,
      [
        async () => {
          expect(upstream.requests.filter(({ path }) => path === '/chat/completions')).toHaveLength(FAULTS.length)
          await upstream.close()
          await ada.asks('Hello?')
        },
        [ASKED, new RegExp(`^↳ Footbridge: ${gone}\n\\[Retry\\]$`)],
        QUESTION_FAILED,
      ],
      [
        () => ada.records(readMemo('lighthouse.ogg')),
        [
          recordingIn(stage),
          new RegExp(
            `^↳ Footbridge: I could not turn this recording into text\\. ${gone.replace('language model', 'model server')}$`,
          ),
        ],
        RECORDING_FAILED,
      ],
    ])
  },
)

const BROKEN: DroppedFile = {
  name: 'broken.pdf',
  bytes: '%PDF-1.7 and then nothing of a PDF',
  mimeType: 'application/pdf',
}
const EMPTY: DroppedFile = { name: 'empty.md', bytes: '', mimeType: 'text/markdown' }

scenario('a file says on its receipt why it can not be used', ON, async (stage) => {
  const { ada } = stage
  const damaged = 'The PDF is damaged and cannot be read: export it anew and send it again.'
  const empty = 'The file is empty. Check it and drop it again.'
  await expectSteps(stage, [
    [
      () => ada.drops(BROKEN),
      ['Ada: (broken.pdf)', told(`⚠️ **broken.pdf** — failed. ${damaged}${EXPLAINED}\n[Remove]${OFF}`)],
      FILE_FAILED,
    ],
    [() => ada.drops(EMPTY), ['Ada: (empty.md)', told(`⚠️ **empty.md** — failed. ${empty}\n[Remove]`)], FILE_FAILED],
  ])
  expect(stage.workspace.calls?.()).toEqual(['create', 'create'])
})
