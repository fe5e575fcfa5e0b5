import { describe, expect, test } from 'vitest'
import type { UpstreamAnswer } from '../doubles/upstream/script.ts'
import { readMemo } from '../support/speech.ts'
import { eventually, type Desk, type DroppedFile } from '../support/whole/desk.ts'
import { startInVain, type Footbridge } from '../support/whole/footbridge.ts'
import { withPlatform, withUpstream } from '../support/whole/platforms.ts'
import { closeAtEnd, DESKS, ferryNote, open, SERVICES } from '../support/whole/stage.ts'

const EXPLAINED =
  '\n\n_Files dropped here go into a collection of their own; I answer questions from it and quote the passages._'
const OFF = "\n[Don't collect files here]"
const REFUSED_KEY =
  'The platform refused my key: it is wrong or has expired. Whoever runs me can set a new one (PLATFORM_API_KEY).'
const EMPTY =
  'The platform reported an error: The model server answered with nothing at all. Please ask again in a moment.'
const INCOMPLETE =
  '**This answer is not complete.** The platform reported an error: The model server stopped in the middle of the answer. Please ask again in a moment.'

const ASKED = 'Ada: @Footbridge Hello?'
const told = (text: string) => `↳ Footbridge: ${text}`
const memoOf = ({ service }: Desk) =>
  service === 'slack' ? 'Ada: (audio_message.m4a)' : 'Ada: (voice-message.ogg)'

/** Everything that is seen and everything the operator is told, once all has come to rest. */
async function expectEnd(
  desk: Desk,
  footbridge: Footbridge,
  end: {
    readonly seen: readonly string[]
    readonly alarms: readonly string[]
    readonly secrets: readonly string[]
  },
): Promise<void> {
  expect(await eventually(() => desk.sees(), end.seen)).toEqual(end.seen)
  expect(await footbridge.stop()).toBe(0)
  expect(desk.sees(), 'after the stop').toEqual(end.seen)
  expect(footbridge.alarms().map(({ msg }) => msg)).toEqual(end.alarms)
  expect(footbridge.output.stderr).toEqual([])
  const output = footbridge.output.all.join('\n')
  for (const secret of [...end.secrets, ...desk.secrets]) expect(output).not.toContain(secret)
}

describe('a start with a token that the service refuses', () => {
  test.each([
    ['slack', 'SLACK_BOT_TOKEN', 'xoxb-wrong-0123456789'],
    ['slack', 'SLACK_APP_TOKEN', 'xapp-wrong-0123456789'],
    ['discord', 'DISCORD_TOKEN', 'wrong-token-0123456789'],
  ] as const)('%s: ends with one sentence that names %s', async (service, setting, wrong) => {
    const desk = closeAtEnd(await DESKS[service]())
    const { code, stderr, log, said, all } = await startInVain({ ...desk.env, [setting]: wrong })
    expect(code).toBe(1)
    expect(stderr).toHaveLength(1)
    expect(stderr[0]).toContain(setting)
    expect(said).toEqual([])
    expect(log.filter(({ level }) => level >= 40)).toEqual([])
    for (const secret of [wrong, ...desk.secrets]) expect(all.join()).not.toContain(secret)
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

describe.each(SERVICES)('on %s', (service) => {
  test('a wrong key of the platform is told to whoever asks, drops or speaks', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const { env, secrets } = closeAtEnd(await withPlatform('collection'))
    const wrong = 'wrong-key-0123456789'
    const footbridge = await open(desk.env, env, { PLATFORM_API_KEY: wrong })
    const seen: string[] = []
    const steps: readonly (readonly [() => void, ...string[]])[] = [
      [() => desk.does({ text: 'Hello?', mention: true }), ASKED, told(REFUSED_KEY)],
      [
        () => desk.does({ files: [ferryNote] }),
        'Ada: (ferry.md)',
        told(
          `⚠️ **ferry.md** — failed: the platform refused my key. Whoever runs me can set a new one (PLATFORM_API_KEY).${EXPLAINED}\n[Retry]\n[Remove]${OFF}`,
        ),
      ],
      [() => desk.does({ memo: new Uint8Array(3) }), memoOf(desk), told(REFUSED_KEY)],
    ]
    for (const [step, ...lines] of steps) {
      step()
      seen.push(...lines)
      expect(await eventually(() => desk.sees(), seen)).toEqual(seen)
    }
    await expectEnd(desk, footbridge, {
      seen,
      alarms: [
        'A question could not be answered',
        'A dropped file could not be taken in',
        'A voice note could not be transcribed',
      ],
      secrets: [...secrets, wrong],
    })
  })

  test('a platform that is not there is told to whoever asks', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const { env, secrets, platform } = closeAtEnd(await withPlatform('saia'))
    const footbridge = await open(desk.env, env)
    await platform.close()
    desk.does({ text: 'Hello?', mention: true })
    await expectEnd(desk, footbridge, {
      seen: [
        ASKED,
        told('I can’t reach the platform just now. Your message is safe; please ask again in a few minutes.'),
      ],
      alarms: ['A question could not be answered'],
      secrets,
    })
    expect(desk.wire()).toEqual(['create'])
  })

  test.each([
    ['a stream of 0 bytes', [{ kind: 'fault', fault: 'empty' }], EMPTY],
    [
      'an answer without a word',
      [{ kind: 'chat', text: '' }],
      'The model answered with nothing at all. Please ask again, or in other words.',
    ],
    [
      'a connection that is cut in mid-answer',
      [{ kind: 'fault', fault: 'cut', after: ['It begins\n\n```js\n', 'let boat = 1\n', 'let'] }],
      `It begins\n\n\`\`\`js\nlet boat = 1\nlet\n\`\`\`\n\n${INCOMPLETE}`,
    ],
    [
      'an answer that ends without its end',
      [{ kind: 'chat', text: 'The first half', finishReason: null }],
      `The first half\n\n${INCOMPLETE}`,
    ],
    [
      'an error inside the stream',
      [{ kind: 'fault', fault: 'error-event', after: ['The first ', 'half'], message: 'CUDA out of memory' }],
      'The first half\n\n**This answer is not complete.** The platform reported an error: The model server failed: CUDA out of memory. Please ask again in a moment.',
    ],
    [
      'a refusal of its own key',
      [{ kind: 'fault', fault: 'status', status: 401 }],
      'The platform reported an error: The model server refused the key of this platform: check UPSTREAM_API_KEY. Please ask again in a moment.',
    ],
  ] as const satisfies readonly (readonly [string, readonly UpstreamAnswer[], string])[])(
    'the model server gives %s: one sentence, one alarm, nothing half-said',
    async (_what, script, sentence) => {
      const desk = closeAtEnd(await DESKS[service]())
      const { env, upstream, secrets } = closeAtEnd(await withUpstream())
      const footbridge = await open(desk.env, env)
      upstream.script(...script)
      desk.does({ text: 'Hello?', mention: true })
      await expectEnd(desk, footbridge, {
        seen: [ASKED, told(sentence)],
        alarms: ['A question could not be answered'],
        secrets,
      })
      expect(upstream.requests.filter(({ path }) => path === '/chat/completions')).toHaveLength(1)
    },
  )

  test('a model server that is gone is told to whoever asks or speaks', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const { env, upstream, secrets } = closeAtEnd(await withUpstream())
    const footbridge = await open(desk.env, env, { PLATFORM_MODEL: 'double-chat' })
    await upstream.close()
    const gone = 'The model server cannot be reached'
    desk.does({ text: 'Hello?', mention: true })
    const first = [ASKED, new RegExp(`^↳ Footbridge: The platform reported an error: ${gone}.*\\.$`)]
    expect(await eventually(() => desk.sees(), first)).toHaveLength(2)
    desk.does({ memo: readMemo('lighthouse.ogg') })
    const all = [
      ...first,
      memoOf(desk),
      new RegExp(`^↳ Footbridge: I could not turn this recording into text: ${gone}.*\\.$`),
    ]
    const seen = await eventually(() => desk.sees(), all)
    for (const [index, line] of all.entries()) expect(seen[index]).toMatch(line)
    await expectEnd(desk, footbridge, {
      seen,
      alarms: ['A question could not be answered', 'A voice note could not be transcribed'],
      secrets,
    })
  })

  test.each([
    [
      { name: 'broken.pdf', bytes: '%PDF-1.7 and then nothing of a PDF', mimeType: 'application/pdf' },
      'The PDF is damaged and cannot be read: export it anew and send it again.',
      '\n[Retry]\n[Remove]',
    ],
    [
      { name: 'empty.md', bytes: '', mimeType: 'text/markdown' },
      'the file is empty. Check it and drop it again.',
      '\n[Remove]',
    ],
  ] as const satisfies readonly (readonly [DroppedFile, string, string])[])(
    'the file $name says on its receipt why it can not be used',
    async (file, why, buttons) => {
      const desk = closeAtEnd(await DESKS[service]())
      const { env, secrets } = closeAtEnd(await withUpstream())
      const footbridge = await open(desk.env, env)
      desk.does({ files: [file] })
      await expectEnd(desk, footbridge, {
        seen: [
          `Ada: (${file.name})`,
          told(`⚠️ **${file.name}** — failed: ${why}${EXPLAINED}${buttons}${OFF}`),
        ],
        alarms: ['A dropped file could not be taken in'],
        secrets,
      })
      expect(desk.wire()).toEqual(['create'])
    },
  )
})
