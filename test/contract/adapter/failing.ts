import { expect, test } from 'vitest'
import { send, when } from './desk.ts'
import type { Desk } from './desk.ts'
import type { FaultKind } from './harness.ts'

/** Trouble, and the end. */
export function failingTests(desk: Desk): void {
  faultTests(desk)
  stopTests(desk)
}

function faultTests(desk: Desk): void {
  const can = (kind: FaultKind) => when(desk.faults.includes(kind))

  can('rate-limited')('a rate limit is waited out or told with its waiting time', async () => {
    const { conversation } = await desk.talk()
    const end = desk.harness.fault('rate-limited')
    const errors = await desk.attempt(conversation, send('patience'))
    end()
    const shown = await desk.texts(conversation)
    expect(errors.map((each) => each.code)).toEqual(shown.length === 1 ? [] : ['rate-limited'])
    expect(errors.every((each) => (each.retryAfterMs ?? 0) > 0)).toBe(true)
  })

  can('lost-reply')('a send whose answer was lost is shown once, and is not called a failure', async () => {
    const { conversation } = await desk.talk()
    const end = desk.harness.fault('lost-reply')
    const errors = await desk.attempt(conversation, send('once'))
    end()
    expect(errors.filter((each) => each.code !== 'ambiguous')).toEqual([])
    expect(await desk.texts(conversation)).toHaveLength(1)
  })

  can('refused')('a refusal is told as one, and nothing is shown', async () => {
    const { conversation } = await desk.talk()
    const end = desk.harness.fault('refused')
    const { code } = await desk.failure(desk.harness.adapter.post(conversation, send('no')))
    end()
    expect(['forbidden', 'not-found', 'invalid', 'unauthorized']).toContain(code)
    expect(await desk.texts(conversation)).toEqual([])
  })

  can('unreachable')('a service out of reach is told as such', async () => {
    const { conversation } = await desk.talk()
    const end = desk.harness.fault('unreachable')
    const { code } = await desk.failure(desk.harness.adapter.post(conversation, send('hello?')))
    end()
    expect(['network', 'ambiguous']).toContain(code)
  })

  when(desk.has('unauthorized'))('a wrong credential ends the start with a sentence', async () => {
    const adapter = desk.harness.unauthorized?.()
    expect((await desk.failure(adapter?.start(desk.receiver.receive))).code).toBe('unauthorized')
    await adapter?.stop()
  })
}

function stopTests(desk: Desk): void {
  when(desk.faults.includes('held'))('a stop during a post settles both', async () => {
    const { conversation } = await desk.talk()
    const release = desk.harness.fault('held')
    const post = desk.attempt(conversation, send('on its way'))
    const stop = desk.harness.adapter.stop()
    release()
    const [errors] = await Promise.all([post, stop])
    // Shown and told, or not shown and told; "ambiguous" may be either.
    const certain = errors.every((each) => each.code !== 'ambiguous')
    const shown = await desk.texts(conversation)
    expect(certain ? shown.length : errors.length).toBe(certain && errors.length > 0 ? 0 : 1)
  })

  test('stopping twice is stopping once, and nothing arrives afterwards', async () => {
    await desk.talk()
    await desk.harness.adapter.stop()
    await desk.harness.adapter.stop()
    const before = desk.receiver.inbounds.length
    await desk.harness.mention('anybody there?').catch(() => undefined)
    expect(desk.receiver.inbounds).toHaveLength(before)
  })
}
