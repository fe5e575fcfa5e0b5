/** The rest of the platform's quota after the second search, by the real client. */
import { describe, expect, test } from 'vitest'
import { searchExpanded } from '#bridge/answers/query-expansion.ts'
import { createPlatformClient, createSharedByKey } from '#platform/client/client.ts'
import { startPlatformDouble } from '#test/doubles/platform/double.ts'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

describe('where a tenth of the quota is left', () => {
  const nothing = {
    store: { files: { ofCollection: () => Promise.resolve([]) } },
    sources: { kept: () => Promise.resolve(undefined) },
  }

  test.each([
    ['minute', 3, 0],
    ['hour', 3, 0],
    ['hour', 4, 1],
  ])('of the %s, %i of 30, the second look asks %i times', async (window, left, times) => {
    const double = closeAtEnd(await startPlatformDouble({ profile: 'collection' }))
    const shared = createSharedByKey({})
    const headers = { [`x-ratelimit-limit-${window}`]: '30', [`x-ratelimit-remaining-${window}`]: `${left}` }
    const background = closeAtEnd(
      createPlatformClient({
        baseUrl: double.baseUrl,
        apiKey: double.key,
        shared,
        reserve: 0.1,
        maxRateWaitMs: 65_000,
      }),
    )
    shared.limiter.observe(200, (name) => headers[name.toLowerCase()], '')
    const log = createLogSink()
    const question = 'Who covers my dinner abroad?'
    const looked = await searchExpanded(
      { ...nothing, background } as never,
      { question, signal: new AbortController().signal, log },
      { model: 'm', collection: 'c', query: undefined, toRequest: () => ({ model: 'm', messages: [] }) },
      { push: () => undefined, onWait: () => undefined, onExpand: () => undefined },
    )
    expect(looked).toBeUndefined()
    expect(double.requests.filter(({ op }) => op === 'chat')).toHaveLength(times)
    const said = 'No second search: the rest of the platform’s quota is kept for questions'
    expect(log.at('info').map(({ message }) => message)).toEqual(times === 0 ? [said] : [])
  })
})
