import { describe, expect, test } from 'vitest'
import { lookAgain } from '../../src/bridge/answers/query-expansion.ts'
import { createPlatformClient } from '../../src/platform/client/client.ts'
import { createRateLimiter } from '../../src/platform/client/rate-limit.ts'
import { createLogSink } from '../support/fakes/log.ts'
import { startPlatformDouble } from '../doubles/platform/double.ts'
import { promptText, type UpstreamRequest } from '../doubles/upstream/script.ts'
import type { DroppedFile } from '../support/whole/desk.ts'
import { withUpstream } from '../support/whole/platforms.ts'
import { closeAtEnd, DESKS, open, SERVICES } from '../support/whole/stage.ts'

const QUESTION = 'Who covers my dinner abroad?'
const travelNote: DroppedFile = {
  name: 'travel.md',
  bytes: '# Trips\n\nA flat meal allowance of nineteen euros is paid after eight hours.\n',
  mimeType: 'text/markdown',
}

/** Reads what it is given, and gives other words where it is asked for them. */
function read(request: UpstreamRequest) {
  const prompt = promptText(request)
  if (prompt.includes('Give other words')) return { kind: 'chat', text: 'meal, allowance, trip' } as const
  const found = prompt.includes('flat meal allowance')
  return { kind: 'chat', text: found ? 'Nineteen euros a day [RREF1].' : 'NOT_IN_FILES' } as const
}

test.each(SERVICES)(
  'on %s, what is asked in other words than the file’s is found by a second look',
  async (service) => {
    const desk = closeAtEnd(await DESKS[service]())
    const { env, upstream } = closeAtEnd(await withUpstream())
    const footbridge = await open(desk.env, env)
    desk.does({ files: [travelNote] })
    await desk.until(() => desk.sees().some((line) => line.includes('ready')))
    upstream.script(read, read, read)
    desk.does({ text: QUESTION, mention: true })
    const seen = await desk.until(() =>
      desk.sees().find((line) => /Nineteen euros a day \[1\][^]*travel\.md/.test(line)),
    )
    expect(seen).toContain('L1-3')
    const asked = upstream.requests.map(promptText).filter((prompt) => prompt.includes(QUESTION))
    expect(asked).toHaveLength(3)
    expect(asked[0]).toContain('The search found no passage')
    expect(asked[1]).not.toContain('meal')
    expect(asked[2]).toMatch(/flat meal allowance[^]*Who covers my dinner abroad\?\n\nmeal allowance trip$/)
    expect(desk.sees().join('\n')).not.toMatch(/NOT_IN|Not in/)
    // Discord has one sign for all: that it types.
    expect(desk.signs().join('\n')).toMatch({ slack: /looking again in other words/, discord: /./ }[service])

    await footbridge.restart({ SECOND_LOOK: 'off' })
    upstream.script(read)
    desk.does({ text: QUESTION, mention: true })
    await desk.until(() =>
      desk.sees().find((line) => /Not in this channel’s files.\*\* I searched 1 file and found/.test(line)),
    )
    expect(footbridge.alarms()).toEqual([])
  },
)

describe('where a tenth of the quota is left', () => {
  const nothing = {
    store: { ledger: { ofCollection: () => Promise.resolve([]) } },
    sources: { kept: () => Promise.resolve(undefined) },
  }

  test.each([
    ['minute', 3, 0],
    ['hour', 3, 0],
    ['hour', 4, 1],
  ])('of the %s, %i of 30, the second look asks %i times', async (window, left, times) => {
    const double = closeAtEnd(await startPlatformDouble({ profile: 'collection' }))
    const limiter = createRateLimiter()
    const headers = { [`x-ratelimit-limit-${window}`]: '30', [`x-ratelimit-remaining-${window}`]: `${left}` }
    const background = closeAtEnd(
      createPlatformClient({
        baseUrl: double.baseUrl,
        apiKey: double.key,
        limiter,
        reserve: 0.1,
        maxRateWaitMs: 65_000,
      }),
    )
    limiter.observe(200, (name) => headers[name.toLowerCase()], '')
    const log = createLogSink()
    const question = QUESTION
    const looked = await lookAgain(
      { ...nothing, background } as never,
      { question, signal: new AbortController().signal, log },
      { model: 'm', collection: 'c', query: undefined, toRequest: () => ({ model: 'm', messages: [] }) },
      { push: () => undefined, waits: () => undefined, looksAgain: () => undefined },
    )
    expect(looked).toBeUndefined()
    expect(double.requests.filter(({ op }) => op === 'chat')).toHaveLength(times)
    const said = 'No second look: what is left of the platform’s quota is for questions'
    expect(log.at('info').map(({ message }) => message)).toEqual(times === 0 ? [said] : [])
  })
})
