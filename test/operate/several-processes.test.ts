/** Two bridge processes on one PostgreSQL: one is stopped in the middle of an answer, the other one goes on at once. */
import { expect, it } from 'vitest'
import { runJobs } from '#operate/jobs-command.ts'
import { closeAtEnd } from '../support/close-at-end.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { startOtlpReceiver } from '../support/otlp.ts'
import { createPerson } from '../support/people/person.ts'
import { openDiscord } from '../support/people/discord.ts'
import { openSlack } from '../support/people/slack.ts'
import { withUpstream } from '../support/platforms.ts'
import { usePostgres } from '../support/postgres/postgres.ts'

const postgres = usePostgres()

const connections = async (footbridge: Footbridge) =>
  ((await (await fetch(new URL('/readyz', footbridge.url))).json()) as { connections: object }).connections

it('a process that is stopped ends its answer, and another one answers what is asked meanwhile, in one trace', async () => {
  const databaseUrl = await postgres.database()
  await expect(runJobs({ dataDir: '', databaseUrl }, ['list'])).rejects.toThrow(
    /Footbridge has not run on the database of DATABASE_URL/,
  )
  const workspace = closeAtEnd(await openSlack())
  const discord = closeAtEnd(await openDiscord())
  const model = closeAtEnd(await withUpstream())
  const receiver = closeAtEnd(await startOtlpReceiver())
  const start = async (name: string) =>
    closeAtEnd(
      await startFootbridge({
        ...workspace.env,
        ...discord.env,
        ...model.env,
        DATABASE_URL: databaseUrl,
        PLATFORM_API_KEY: 'fb-several-processes-0123456789',
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
        OTEL_SERVICE_NAME: name,
        DRAIN_SECONDS: '60',
      }),
    )
  const first = await start('first')
  const ada = createPerson(workspace, 'Ada', await workspace.addChannel('ferry'))
  const ben = createPerson(workspace, 'Ben', await workspace.addChannel('harbour'))
  const seen = Promise.withResolvers<void>()
  model.upstream.script({ kind: 'chat', deltas: ['word ', 'The end.'], delayMs: 250, until: seen.promise })
  const asked = model.upstream.next('/chat/completions')
  await ada.asks('When does the last ferry leave?')
  await asked
  const second = await start('second')
  expect(await connections(second)).toEqual({ web: 'connected', slack: 'connected', discord: 'standby' })
  const exit = first.stop()
  const draining = await eventually(async () => {
    const response = await fetch(new URL('/readyz', first.url))
    return response.status === 503 && response.json()
  })
  expect(draining).toMatchObject({ reason: expect.stringMatching(/^Footbridge is stopping/) })
  model.upstream.script({ kind: 'chat', text: 'Somebody is there.' })
  await ben.asks('Is anybody there?')
  await ben.sees(/Somebody is there/)
  expect(await ada.count(/The end\./)).toBe(0)
  seen.resolve()
  await ada.sees(/word The end\./)
  expect(await exit).toBe(0)
  expect([await ada.count(/The end\./), await ben.count(/Somebody is there/)]).toEqual([1, 1])
  await eventually(async () =>
    (await runJobs({ dataDir: '', databaseUrl }, ['list'])).text.startsWith('0 dead, 0 waiting'),
  )
  await eventually(async () => JSON.stringify(await connections(second)).includes('"discord":"connected"'))
  expect(await second.stop()).toBe(0)
  const job = receiver.spans.find(({ name, service }) => name === 'job message' && service === 'second')
  const trace = receiver.spans.filter(({ traceId }) => traceId === job?.traceId)
  expect(trace.map(({ name }) => name)).toEqual(expect.arrayContaining(['event message', 'queue wait', 'slack finish']))
})
