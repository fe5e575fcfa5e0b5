import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { ferry } from './drops.ts'
import { openStage, runs } from './stage.ts'

const anybody = () => true
const QUESTION = 'From which pier does the ferry leave?'

describe.concurrent.each(runs('web'))('a direct conversation on %s, %s', (service, _, rough) => {
  test('has its own files, and they are there again after somebody made the collection anew', async (context) => {
    const { seat, act, asks, sees, answers, alarms, env, url } = await openStage(service, rough, context)
    const { expect } = context
    // Discord lists no direct conversation: one of which nothing was ever heard is not read up to now after a crash.
    await seat.does({ place: 'direct', text: 'help' })
    await sees(/Drop a file/, anybody, 'direct')
    await act(() => seat.does({ place: 'direct', files: [ferry] }))
    await sees(/ferry\.md.*(?:ready|bereit)/, anybody, 'direct')
    await asks(QUESTION, { place: 'direct' })
    const first = await answers(/from pier seven\. ?\[1\]/, anybody, 'direct')
    await asks(QUESTION)
    await sees(/Not from files: none was dropped here/)

    const authorization = readFileSync(`${env['DATA_DIR']}/platform-key`, 'utf8').trim()
    const collections = new URL('/v1/collections/api/v1/collection/', url())
    const headers = { authorization, 'content-type': 'application/json' }
    for (const { name } of (await (await fetch(collections, { headers })).json()) as { name: string }[]) {
      await fetch(new URL(encodeURIComponent(name), collections), { method: 'DELETE', headers })
      await fetch(collections, { method: 'POST', headers, body: JSON.stringify({ name }) })
    }
    await asks(`${QUESTION} Tell me again.`, { place: 'direct' })
    await sees(
      /collection of this channel was removed and made anew/,
      ({ buttons }) => buttons.includes('Rebuild'),
      'direct',
    )
    await act(() => seat.presses('Rebuild', { place: 'direct' }))
    await sees(/built again: 1 file ready|wieder aufgebaut: 1 Datei bereit/, anybody, 'direct')
    await asks(`${QUESTION} I forgot.`, { place: 'direct' })
    await answers(/from pier seven\. ?\[1\]/, ({ id }) => id !== first.id, 'direct')
    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)
})
