import { describe, expect, test, vi } from 'vitest'
import { PATIENCE } from '#test/support/patience.ts'
import type { SlackOptions } from '#adapters/slack/adapter.ts'
import { askedScene, outgoing } from '../scene.ts'

const session = 'agents.sessions.setStatus'
const line = 'assistant.threads.setStatus'

type Scene = Awaited<ReturnType<typeof askedScene>>
const stateOf = ({ slack, channel, said }: Scene) => slack.session(channel, said.ts)?.status
const told = ({ slack }: Scene, method = session) => slack.callsOf(method).map(({ args }) => args['status'])
const work = ({ adapter, conversation }: Scene, signal = new AbortController().signal) =>
  adapter.status(conversation, 'is reading…', signal)

describe('an agent session', () => {
  test('is processed until the work ends', async () => {
    const scene = await askedScene()
    const stop = new AbortController()
    await work(scene, stop.signal)
    expect(stateOf(scene)).toBe('processing')
    stop.abort()
    await scene.slack.until(() => stateOf(scene) === 'active')
    expect(told(scene, line)).toEqual([])
  })

  test('has no words: Slack takes four statuses and nothing else', async () => {
    const scene = await askedScene()
    const stop = new AbortController()
    await work(scene, stop.signal)
    await scene.adapter.status(scene.conversation, 'is searching in other words…', stop.signal)
    stop.abort()
    await scene.slack.until(() => stateOf(scene) === 'active')
    expect(told(scene)).toEqual(['processing', 'active'])
    expect(scene.slack.calls.filter(({ error }) => error !== undefined)).toEqual([])
    expect(scene.adapter.limits.wordlessStatus).toBe(true)
  })

  test('is not ended by a message that Slack shows: that is said', async () => {
    const scene = await askedScene()
    await work(scene)
    await scene.adapter.post(scene.conversation, outgoing('Here it is.'))
    await scene.slack.until(() => stateOf(scene) === 'active')
    expect(told(scene)).toEqual(['processing', 'active'])
  })

  test('goes on where its progress or a receipt shows in the thread, until the answer', async () => {
    const scene = await askedScene()
    await work(scene)
    for (const kind of ['notice', 'receipt'] as const)
      await scene.adapter.post(scene.conversation, outgoing('3 minutes heard.', { kind }))
    await scene.adapter.describeChannel(scene.conversation)
    expect(told(scene)).toEqual(['processing'])
    await scene.adapter.post(scene.conversation, outgoing('It could not be heard.', { kind: 'error' }))
    await scene.slack.until(() => stateOf(scene) === 'active')
  })

  test('whose thread is gone is nothing to tell the operator', async () => {
    const scene = await askedScene()
    scene.slack.script(session, { error: 'thread_not_found' })
    await scene.adapter.mark?.({ conversation: scene.conversation, id: scene.said.ts }, 'asked', false)
    expect(scene.lines.filter(({ level }) => level === 'warn')).toEqual([])
  })

  test('is ended by the end of its stream, without a call of its own', async () => {
    const scene = await askedScene()
    const stop = new AbortController()
    await work(scene, stop.signal)
    const first = outgoing('It takes')
    const stream = await scene.adapter.stream?.(scene.conversation, first, scene.asker)
    expect(stateOf(scene)).toBe('processing')
    await stream?.finish({ ...first, text: 'It takes long.' })
    stop.abort()
    expect(stateOf(scene)).toBe('active')
    await scene.adapter.post(scene.conversation, outgoing('And more.'))
    expect(told(scene)).toEqual(['processing'])
  })

  test('whose status is still on its way when a stream ends does not stay at work', async () => {
    const scene = await askedScene()
    const hold = Promise.withResolvers<void>()
    scene.slack.script(session, { until: hold.promise })
    const showing = work(scene)
    const first = outgoing('It takes long.')
    const stream = await scene.adapter.stream?.(scene.conversation, first, scene.asker)
    await stream?.finish(first)
    hold.resolve()
    await showing
    await vi.waitFor(
      () => expect([stateOf(scene), told(scene)]).toEqual(['active', ['processing', 'active']]),
      PATIENCE,
    )
  })

  test('is told again within the hour after which Slack ends it', async () => {
    const scene = await askedScene({ statusRefreshMs: 20 })
    const stop = new AbortController()
    await work(scene, stop.signal)
    await scene.slack.until(() => told(scene).length >= 3)
    expect(new Set(told(scene))).toEqual(new Set(['processing']))
    stop.abort()
    await scene.slack.until(() => told(scene).at(-1) === 'active')
  })

  test('that somebody stopped is not left at work: Slack does not end it', async () => {
    const scene = await askedScene()
    const { slack, channel, ada: user, said } = scene
    await scene.adapter.stream?.(scene.conversation, outgoing('It takes'), scene.asker)
    expect(stateOf(scene)).toBe('processing')
    slack.pressStop({ channel, user, thread: said.ts })
    await slack.until(() => stateOf(scene) === 'active')
  })

  test('is left at work by a process that dies with its answer shown, and ended by the next one', async () => {
    const scene = await askedScene()
    const { slack, adapter, conversation, channel, said, make, receive } = scene
    const answer = outgoing('Here it is.')
    await adapter.post(conversation, answer)
    slack.workspace.sessions.set(`${channel}:${said.ts}`, { status: 'processing', at: Date.now() })
    const next = make()
    await next.start(receive)
    await next.find(conversation, { sendId: answer.sendId, after: said.ts, known: [], isAnswer: true })
    await vi.waitFor(() => expect(stateOf(scene)).toBe('active'), PATIENCE)
  })

  test('is made for no message that is found but an answer, and waited for by nobody', async () => {
    const scene = await askedScene()
    const { slack, adapter, conversation, said } = scene
    const { sendId } = outgoing('Here it is.')
    await adapter.post(conversation, outgoing('Here it is.', { sendId }))
    const hold = Promise.withResolvers<void>()
    slack.script(session, { until: hold.promise })
    await adapter.find(conversation, { sendId, after: said.ts, known: [] })
    expect(told(scene)).toEqual([])
    await adapter.find(conversation, { sendId, after: said.ts, known: [], isAnswer: true })
    expect(stateOf(scene)).toBeUndefined()
    hold.resolve()
    await slack.until(() => stateOf(scene) === 'active')
  })

  test('in which work goes on is not ended by an answer that is found', async () => {
    const scene = await askedScene()
    const { adapter, conversation, said } = scene
    const answer = outgoing('Here it is.')
    await adapter.post(conversation, answer)
    await work(scene)
    await adapter.find(conversation, { sendId: answer.sendId, after: said.ts, known: [], isAnswer: true })
    await adapter.describeChannel(conversation)
    expect(told(scene)).toEqual(['processing'])
  })

  test('is suspended while people are asked, and closed once its question is solved', async () => {
    const scene = await askedScene()
    const { adapter, conversation, said } = scene
    const question = { conversation, id: said.ts }
    const states = []
    for (const [mark, isSet] of [
      ['asked', true],
      ['asked', false],
      ['solved', true],
    ] as const) {
      await adapter.mark?.(question, mark, isSet)
      states.push(stateOf(scene))
    }
    expect(states).toEqual(['suspended', 'active', 'closed'])
    await work(scene)
    expect(stateOf(scene)).toBe('processing')
  })

  test('in which an answer is made is not closed by a mark', async () => {
    const scene = await askedScene()
    await work(scene)
    await scene.adapter.mark?.({ conversation: scene.conversation, id: scene.said.ts }, 'solved', true)
    expect(stateOf(scene)).toBe('processing')
  })

  test('whose end is refused for now is ended all the same', async () => {
    const scene = await askedScene()
    const stop = new AbortController()
    await work(scene, stop.signal)
    scene.slack.script(session, { status: 429, retryAfter: 1 })
    stop.abort()
    await vi.waitFor(() => expect(stateOf(scene)).toBe('active'), PATIENCE)
  })

  test('that one place refuses is still told of in others', async () => {
    const scene = await askedScene()
    scene.slack.script(session, { error: 'access_denied' })
    await work(scene, AbortSignal.timeout(50))
    await vi.waitFor(() => expect(stateOf(scene)).toBe('active'), PATIENCE)
    await work(scene)
    expect(stateOf(scene)).toBe('processing')
    expect(told(scene, line)).toEqual([])
  })

  test('stays in use once Slack has taken one: an unknown code is then about one thread alone', async () => {
    const scene = await askedScene()
    const stop = new AbortController()
    await work(scene, stop.signal)
    stop.abort()
    await scene.slack.until(() => stateOf(scene) === 'active')
    scene.slack.script(session, { error: 'some_new_code' }, { error: 'some_new_code' })
    const other = AbortSignal.timeout(50)
    await work(scene, other)
    await scene.slack.until(() => told(scene).length === 4)
    await work(scene)
    expect(stateOf(scene)).toBe('processing')
    expect(told(scene, line)).toEqual([])
  })

  test('that was taken while another was refused counts: its end is told', async () => {
    const scene = await askedScene()
    const { slack, channel, ada: user } = scene
    const hold = Promise.withResolvers<void>()
    scene.slack.script(session, { until: hold.promise }, { error: 'some_new_code' })
    const stop = new AbortController()
    const showing = work(scene, stop.signal)
    const other = slack.say({ channel, user, text: 'and the next?', mention: true })
    await slack.until(() => told(scene).length === 1)
    await scene.adapter.status({ ...scene.conversation, thread: other.ts }, 'is reading…', AbortSignal.timeout(10))
    hold.resolve()
    await showing
    expect(stateOf(scene)).toBe('processing')
    stop.abort()
    await slack.until(() => stateOf(scene) === 'active')
  })

  test('in which a later question is at work is not ended by the late end of the first', async () => {
    const scene = await askedScene()
    const hold = Promise.withResolvers<void>()
    scene.slack.script(session, { until: hold.promise })
    const first = new AbortController()
    const showing = work(scene, first.signal)
    await new Promise((resolve) => setTimeout(resolve, 100))
    first.abort()
    await work(scene)
    hold.resolve()
    await showing
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(stateOf(scene)).toBe('processing')
    expect(told(scene)).not.toContain('active')
  })

  test('that cannot be told of is said once to the operator and to nobody else', async () => {
    const scene = await askedScene()
    scene.slack.script(session, { error: 'channel_not_found' }, { error: 'channel_not_found' })
    for (let time = 0; time < 2; time += 1) await work(scene)
    expect(scene.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
    expect(told(scene, line)).toEqual([])
  })

  test('is not told of where its work ended before the call had its turn', async () => {
    const scene = await askedScene()
    const hold = Promise.withResolvers<void>()
    // As many calls as there are connections.
    const held = Array.from({ length: 32 }, () => {
      scene.slack.script('conversations.info', { until: hold.promise })
      return scene.adapter.describeChannel(scene.conversation)
    })
    const working = new AbortController()
    const showing = work(scene, working.signal)
    working.abort()
    hold.resolve()
    await Promise.all([...held, showing])
    await scene.adapter.describeChannel(scene.conversation)
    expect(told(scene)).toEqual([])
  })
})

const NO_SESSIONS = {
  'this Slack does not know them': { error: 'unknown_method' },
  'a proxy answers 404': { status: 404 },
  'a scope is missing': { error: 'missing_scope' },
  'the token is of another kind': { error: 'not_allowed_token_type' },
  'they are switched off': { error: 'feature_disabled' },
  'the app is no agent, whatever Slack calls that': { error: 'some_new_code' },
} as const

async function olderScene(options: Partial<SlackOptions> = {}) {
  const scene = await askedScene(options)
  scene.slack.script(session, { error: 'unknown_method' })
  return scene
}
const lineOf = ({ slack, channel, said }: Scene) => slack.status(channel, said.ts)

describe('where there are no agent sessions', () => {
  test.each(Object.entries(NO_SESSIONS))('the older line shows, and they are asked for once: %s', async (_, fault) => {
    const scene = await askedScene()
    scene.slack.script(session, fault)
    for (let time = 0; time < 3; time += 1) {
      const stop = new AbortController()
      await work(scene, stop.signal)
      expect(lineOf(scene)).toBe('is reading…')
      stop.abort()
      await scene.slack.until(() => lineOf(scene) === undefined)
    }
    await scene.adapter.mark?.({ conversation: scene.conversation, id: scene.said.ts }, 'solved', true)
    expect(scene.slack.callsOf(session)).toHaveLength(1)
    expect(scene.lines.filter(({ level }) => level === 'warn')).toEqual([])
  })

  test('a line is said again before Slack forgets it', async () => {
    const scene = await olderScene({ statusRefreshMs: 20 })
    const stop = new AbortController()
    await work(scene, stop.signal)
    await scene.slack.until(() => told(scene, line).length >= 3)
    expect(new Set(told(scene, line))).toEqual(new Set(['is reading…']))
    stop.abort()
    await scene.slack.until(() => told(scene, line).at(-1) === '')
  })

  test('a message takes the line away by itself: nothing more is said', async () => {
    const scene = await olderScene()
    const stop = new AbortController()
    await work(scene, stop.signal)
    await scene.adapter.post(scene.conversation, outgoing('Here it is.'))
    const before = told(scene, line).length
    stop.abort()
    await scene.adapter.post(scene.conversation, outgoing('And more.'))
    expect(told(scene, line)).toHaveLength(before)
    expect(lineOf(scene)).toBeUndefined()
  })

  test('a line that is still on its way when the message shows is taken back', async () => {
    const scene = await olderScene()
    const earlier = new AbortController()
    await work(scene, earlier.signal)
    earlier.abort()
    await scene.slack.until(() => told(scene, line).at(-1) === '')
    const hold = Promise.withResolvers<void>()
    scene.slack.script(line, { until: hold.promise })
    const showing = work(scene)
    await scene.adapter.post(scene.conversation, outgoing('Here it is.'))
    hold.resolve()
    await showing
    await scene.slack.until(() => told(scene, line).at(-1) === '')
    await vi.waitFor(() => expect(lineOf(scene)).toBeUndefined(), PATIENCE)
  })

  test('a line that cannot be shown is said once to the operator and to nobody else', async () => {
    const scene = await olderScene()
    scene.slack.script(line, { error: 'missing_scope' }, { error: 'missing_scope' })
    for (let time = 0; time < 2; time += 1) await work(scene)
    expect(scene.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })
})
