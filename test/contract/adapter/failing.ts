import { expect, test } from 'vitest'
import { send, when, type Subject } from './subject.ts'
import type { FaultKind } from './harness.ts'

/** Trouble, and the end. */
export function failingTests(subject: Subject): void {
  faultTests(subject)
  stopTests(subject)
}

function faultTests(subject: Subject): void {
  const can = (kind: FaultKind) => when(subject.faults.includes(kind))

  can('rate-limited')('a rate limit is waited out or told with its waiting time', async () => {
    const { conversation } = await subject.talk()
    const end = subject.harness.fault('rate-limited')
    const errors = await subject.attempt(conversation, send('patience'))
    end()
    const shown = await subject.texts(conversation)
    expect(errors.map((each) => each.code)).toEqual(shown.length === 1 ? [] : ['rate-limited'])
    expect(errors.every((each) => (each.retryAfterMs ?? 0) > 0)).toBe(true)
  })

  can('lost-reply')('a send whose answer was lost is shown once, and is not called a failure', async () => {
    const { conversation } = await subject.talk()
    const end = subject.harness.fault('lost-reply')
    const errors = await subject.attempt(conversation, send('once'))
    end()
    expect(errors.filter((each) => each.code !== 'ambiguous')).toEqual([])
    expect(await subject.texts(conversation)).toHaveLength(1)
  })

  can('refused')('a refusal is told as one, and nothing is shown', async () => {
    const { conversation } = await subject.talk()
    const end = subject.harness.fault('refused')
    const { code } = await subject.failure(subject.harness.adapter.post(conversation, send('no')))
    end()
    expect(['forbidden', 'not-found', 'invalid', 'unauthorized']).toContain(code)
    expect(await subject.texts(conversation)).toEqual([])
  })

  can('unreachable')('a service out of reach is told as such', async () => {
    const { conversation } = await subject.talk()
    const end = subject.harness.fault('unreachable')
    const { code } = await subject.failure(subject.harness.adapter.post(conversation, send('hello?')))
    end()
    expect(['network', 'ambiguous']).toContain(code)
  })

  when(subject.has('unauthorized'))('a wrong credential ends the start with a sentence', async () => {
    const adapter = subject.harness.unauthorized?.()
    expect((await subject.failure(adapter?.start(subject.receiver.receive))).code).toBe('unauthorized')
    await adapter?.stop()
  })
}

function stopTests(subject: Subject): void {
  when(subject.faults.includes('held'))('a stop during a post settles both', async () => {
    const { conversation } = await subject.talk()
    const release = subject.harness.fault('held')
    const post = subject.attempt(conversation, send('on its way'))
    const stop = subject.harness.adapter.stop()
    release()
    const [errors] = await Promise.all([post, stop])
    // Shown and told, or not shown and told; "ambiguous" may be either.
    const certain = errors.every((each) => each.code !== 'ambiguous')
    const shown = await subject.texts(conversation)
    expect(certain ? shown.length : errors.length).toBe(certain && errors.length > 0 ? 0 : 1)
  })

  test('stopping twice is stopping once, and nothing arrives afterwards', async () => {
    await subject.talk()
    await subject.harness.adapter.stop()
    await subject.harness.adapter.stop()
    const before = subject.receiver.inbounds.length
    await subject.harness.mention('anybody there?').catch(() => undefined)
    expect(subject.receiver.inbounds).toHaveLength(before)
  })
}
