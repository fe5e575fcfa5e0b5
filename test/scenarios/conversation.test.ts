import { describe, test } from 'vitest'
import { ferry, mole } from './drops.ts'
import { openHostedStage, openStage, runs } from './stage.ts'

const anybody = () => true

describe.concurrent.each(runs('slack'))('a conversation on %s, %s', (service, _, rough) => {
  test('is said shorter and longer, put right, taken back, and kept as a whole', async (context) => {
    const { seat, act, answers, asks, deletes, drops, edits, sees, count, alarms } = await openStage(
      service,
      rough,
      context,
      {
        rules: [
          [/at most half as many words/, 'Pier seven. [RREF1]'],
          [/in more detail/, 'The ferry leaves from pier seven, and it goes to the island. [RREF1]'],
        ],
      },
    )
    const { expect } = context
    await drops(ferry, mole)
    await sees(/ferry\.md.*(?:ready|bereit)[^]*mole\.md.*(?:ready|bereit)/)

    const question = await asks('From which pier does the fairy leave?')
    const answer = await sees(/from pier seven\. ?\[1\]/, ({ buttons }) => buttons.includes('Shorter'))
    await act(() => seat.presses('Shorter'))
    await sees(/^Pier seven\. ?\[1\]/, ({ id, buttons }) => id === answer.id && buttons.includes('Longer'))
    await act(() => seat.presses('Longer'))
    await sees(
      /and it goes to the island\. ?\[1\]/,
      ({ id, buttons }) => id === answer.id && buttons.includes('↻'),
    )

    // The question is put right: its answer is written anew, in its place.
    const call = service === 'web' ? '@footbridge ' : ''
    await edits(question, `${call}When is the mole of the harbour closed?`)
    await answers(/closed from November to March\. ?\[1\]/, ({ id }) => id === answer.id)

    await act(() =>
      seat.does({ text: 'And who told you of the harbour mole?', after: answer.id, mention: true }),
    )
    await answers(/mole.*\[1\]/, ({ id }) => id !== answer.id)
    await act(() => seat.does({ text: 'keep thread', after: answer.id, mention: true }))
    await sees(/\d{4}-\d{2}-\d{2}.*\.md.*(?:ready|bereit)/)

    const second = await asks('From which pier does the ferry leave today?')
    const stray = await answers(/pier seven\. ?\[1\]/, ({ id }) => id !== answer.id)
    await deletes(second)
    await expect.poll(async () => (await seat.shown()).some(({ id }) => id === stray.id)).toBe(false)
    expect(await count(/closed from November to March\. ?\[1\]/)).toBeGreaterThan(0)
    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)

  test('takes a model of its own, and its questions are answered in order', async (context) => {
    const { seat, act, sees, platform } = await openHostedStage(service, rough, context)
    const { expect } = context
    let first: string | undefined
    // On Slack a conversation is a thread.
    const says = async (text: string) => {
      const after = first === undefined ? {} : { after: first }
      return seat.does({ place: 'direct', text, ...after })
    }

    // Discord lists no direct conversation: one of which nothing was ever heard is not read up to now after a crash.
    first = await says('model other')
    await sees(/`?other-model`? answers in this conversation/, anybody, 'direct')

    const released = Promise.withResolvers<void>()
    platform.script('chat', { kind: 'delay', until: released.promise }, Infinity)
    for (const number of ['one', 'two', 'three']) await act(() => says(`Please repeat number ${number}`))
    released.resolve()
    await sees(/You said: Please repeat number three/, anybody, 'direct')
    const said = (await seat.shown('direct')).flatMap(({ text }) => /number (\w+)/.exec(text)?.[1] ?? [])
    expect(said).toEqual(['one', 'two', 'three'])
    const models = platform.requests
      .filter(({ op }) => op === 'chat')
      .map(({ json }) => (json as { model: string }).model)
    expect(new Set(models)).toEqual(new Set(['other-model']))
  }, 1_200_000)
})
