import { describe, expect, it } from 'vitest'
import { CONNECTIONS } from '#adapters/slack/calls/web-client.ts'
import type { AdapterError } from '#bridge/port/errors.ts'
import { SECRET, setMany } from './many.ts'

const HOUR_MS = 3600_000

async function rotating() {
  const many = await setMany({ lockMs: 300 })
  const { cloud, adapter, install, receive, store } = many
  cloud.oauth.rotates = true
  await adapter.start(receive)
  await install('T1')
  const team = cloud.teams.get('T1')
  const channel = team?.workspace.addChannel({ name: 'ferry' }).id ?? ''
  const conversation = { adapter: 'slack', workspace: 'T1', channel, direct: false }
  const nameOf = async (by = adapter) => (await by.describeChannel(conversation))?.name
  /** Exchanges after the installation. */
  const renewals = () => cloud.oauth.exchanges.slice(1)
  const stored = () => store.state('slack-installation', [SECRET]).get('T1') as Promise<Record<string, unknown>>
  return { ...many, nameOf, renewals, stored }
}

describe('a token that expires', () => {
  it('is renewed two hours before its end, once for all calls at that time and for all processes', async () => {
    const { make, receive, nameOf, renewals, advance, stored } = await rotating()
    const other = make()
    await other.start(receive)
    expect([await nameOf(), await nameOf(other)]).toEqual(['ferry', 'ferry'])
    const before = await stored()
    advance(9.9 * HOUR_MS)
    await nameOf()
    expect(renewals()).toHaveLength(0)
    advance(0.2 * HOUR_MS)
    const names = await Promise.all(
      Array.from({ length: 12 }, (_, index) => nameOf(index % 2 === 0 ? undefined : other)),
    )
    expect(new Set(names)).toEqual(new Set(['ferry']))
    expect(renewals()).toHaveLength(1)
    expect((await stored())['refreshToken']).not.toBe(before['refreshToken'])
  })

  it('is renewed while more calls wait for it than leave at once, by a request without a token', async () => {
    const { cloud, nameOf, renewals, advance } = await rotating()
    advance(10.5 * HOUR_MS)
    const names = await Promise.all(Array.from({ length: CONNECTIONS + 8 }, () => nameOf()))
    expect(new Set(names)).toEqual(new Set(['ferry']))
    expect([renewals().length, cloud.oauth.authorizations]).toEqual([1, [undefined, undefined]])
  })

  it('serves on until its end while Slack refuses to renew it, and is renewed when that passes', async () => {
    const { cloud, nameOf, renewals, advance, lines } = await rotating()
    advance(10.5 * HOUR_MS)
    cloud.oauth.faults.push(...Array.from({ length: 3 }, () => ({ ok: false, error: 'internal_error' })))
    expect(await nameOf()).toBe('ferry')
    expect(JSON.stringify(lines)).toMatch(/could not be renewed/)
    expect(await nameOf()).toBe('ferry')
    expect(renewals()).toHaveLength(0)
    advance(2 * 60_000)
    expect([await nameOf(), renewals().length]).toEqual(['ferry', 1])
  })

  it('whose renewal was answered into the void is asked for again at once, while Slack still takes the used one', async () => {
    const { cloud, nameOf, renewals, advance, stored } = await rotating()
    const before = await stored()
    advance(10.5 * HOUR_MS)
    cloud.oauth.faults.push('drop')
    expect(await nameOf()).toBe('ferry')
    expect([renewals().length, (await stored())['botToken']]).toEqual([2, renewals()[1]?.['access_token']])
    advance(2 * HOUR_MS)
    expect([await nameOf(), (await stored())['botToken']]).not.toContain(before['botToken'])
  })

  it('is renewed again each time', async () => {
    const { nameOf, renewals, advance } = await rotating()
    for (let time = 1; time <= 3; time += 1) {
      advance(11 * HOUR_MS)
      expect([await nameOf(), renewals().length]).toEqual(['ferry', time])
    }
  })

  it('whose new pair could not be stored is stored later, without another exchange', async () => {
    const { store, make, receive, install, advance, cloud, nameOf, renewals, stored } = await rotating()
    const installations = store.state('slack-installation', [SECRET])
    let isFull = false
    const set: typeof installations.set = async (...entry) =>
      isFull ? Promise.reject(new Error('The disk is full.')) : installations.set(...entry)
    const adapter = make({ installations: { ...installations, set } })
    await adapter.start(receive)
    await install('T1', adapter)
    const before = cloud.oauth.exchanges.length
    advance(10.5 * HOUR_MS)
    isFull = true
    expect(await nameOf(adapter)).toBe('ferry')
    isFull = false
    advance(5 * 60_000)
    expect(await nameOf(adapter)).toBe('ferry')
    expect(cloud.oauth.exchanges).toHaveLength(before + 1)
    expect((await stored())['botToken']).toBe(renewals().at(-1)?.['access_token'])
  })

  it.each([
    ['soon afterwards renews it', 0, 'ferry'],
    ['much later serves on until its end; then the workspace installs again', 120_000, 'unauthorized'],
  ])('whose renewal died between exchange and store: the next process, %s', async (_, laterMs, outcome) => {
    const { store, make, receive, install, nameOf, advance, cloud } = await rotating()
    const installations = store.state('slack-installation', [SECRET])
    let death: PromiseWithResolvers<void> | undefined
    const set: typeof installations.set = async (...entry) => death?.promise ?? installations.set(...entry)
    const dying = make({ installations: { ...installations, set } })
    await dying.start(receive)
    await install('T1', dying)
    const before = cloud.oauth.exchanges.length
    advance(10.5 * HOUR_MS)
    death = Promise.withResolvers()
    void nameOf(dying).catch(() => {})
    await cloud.until(() => cloud.oauth.exchanges.length > before, 'the exchange')
    advance(laterMs)
    const next = make()
    await next.start(receive)
    expect(await nameOf(next)).toBe('ferry')
    death.reject(new Error('It is dead.'))
    advance(2 * HOUR_MS)
    expect(await nameOf(next).catch((error: AdapterError) => error.code)).toBe(outcome)
    await install('T1', next)
    expect(await nameOf(next)).toBe('ferry')
  })

  it('is renewed by another when the process that began died with the lock', async () => {
    const { store, nameOf, renewals, advance } = await rotating()
    await store.state('slack-token-baton').delete('T1')
    advance(10.5 * HOUR_MS)
    expect([await nameOf(), renewals().length]).toEqual(['ferry', 1])
  })
})

it('a workspace that is installed anew while its installation is read still repeats a call that failed', async () => {
  const { cloud, make, receive, install, store, advance } = await setMany()
  const installations = store.state('slack-installation', [SECRET])
  let gate: Promise<void> | undefined
  const get = async (id: string) => {
    const value = await installations.get(id)
    await gate
    return value
  }
  const adapter = make({ installations: { ...installations, get } })
  await adapter.start(receive)
  await install('T1', adapter)
  const team = cloud.teams.get('T1')
  const channel = team?.workspace.addChannel({ name: 'ferry' }).id ?? ''
  const nameNow = async () =>
    (await adapter.describeChannel({ adapter: 'slack', workspace: 'T1', channel, direct: false }))?.name
  await nameNow()
  advance(31_000)
  const reading = Promise.withResolvers<void>()
  gate = reading.promise
  const early = nameNow()
  await install('T1', adapter)
  reading.resolve()
  await early
  team?.faults.script('conversations.info', { status: 500 })
  expect(await nameNow()).toBe('ferry')
})

describe('SECRET_KEY', () => {
  const next = 'the next secret, thirty-two characters too'

  it('gives way to a new one: the next start encrypts all anew, and then the old one may go', async () => {
    const { cloud, make, receive, install } = await setMany()
    await make().start(receive)
    await install('T1')
    await make({ reseals: true }, [next, SECRET]).start(receive)
    const later = make({}, [next])
    await later.start(receive)
    const channel = cloud.teams.get('T1')?.workspace.addChannel({ name: 'ferry' }).id ?? ''
    expect(await later.describeChannel({ adapter: 'slack', workspace: 'T1', channel, direct: false })).toMatchObject({
      name: 'ferry',
    })
  })

  it('that is not the one of the installations ends the start', async () => {
    const { make, receive, install } = await setMany()
    await make().start(receive)
    await install('T1')
    await expect(make({}, [next]).start(receive)).rejects.toThrow(/another SECRET_KEY/)
  })
})
