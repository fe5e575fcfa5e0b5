/**
 * Two bridges on one PostgreSQL, and a platform as a third process: an answer that changes hands is one trace over
 * three processes.
 */
import { expect, it } from 'vitest'
import { closeAtEnd } from '../support/close-at-end.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { startOtlpReceiver } from '../support/otlp.ts'
import { createPerson } from '../support/people/person.ts'
import { openSlack } from '../support/people/slack.ts'
import { withUpstream } from '../support/platforms.ts'
import { usePostgres } from '../support/postgres/postgres.ts'

const postgres = usePostgres()
const KEY = 'fb-three-processes-0123456789'
/** In the question, the answer, the channel, and the name of a person. */
const CANARIES = ['Zanzibar', 'Quokka', 'harbourroom', 'Ada']

it('an answer that one bridge begins and another one ends is one trace with the platform in it, without content', async () => {
  const databaseUrl = await postgres.database()
  const receiver = closeAtEnd(await startOtlpReceiver())
  const model = closeAtEnd(await withUpstream())
  const workspace = closeAtEnd(await openSlack())
  const start = async (name: string, settings: Readonly<Record<string, string>>) =>
    closeAtEnd(
      await startFootbridge({
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
        OTEL_SERVICE_NAME: name,
        PLATFORM_API_KEY: KEY,
        ...settings,
      }),
    )
  const platform = await start('platform', model.env)
  const bridge = {
    ...workspace.env,
    DATABASE_URL: databaseUrl,
    PLATFORM_BASE_URL: new URL('/v1', platform.url).href,
    SECOND_LOOK: 'off',
    DRAIN_SECONDS: '1',
  }
  const first = await start('first', bridge)
  const ada = createPerson(workspace, 'Ada', await workspace.addChannel('harbourroom'))
  const asked = model.upstream.next('/chat/completions')
  model.upstream.script({ kind: 'chat', text: 'Never seen.', firstDelayMs: 60_000 })
  await ada.asks('When does the ferry to Zanzibar leave?')
  await asked
  const second = await start('second', bridge)
  model.upstream.script({ kind: 'chat', text: 'Quokka: it leaves at 9:40.' })
  expect(await first.stop()).toBe(0)
  await ada.sees(/9:40/)
  expect([await second.stop(), await platform.stop()]).toEqual([0, 0])

  const { traceId } = await eventually(() => receiver.spans.find(({ name }) => name === 'slack finish'))
  const trace = receiver.spans.filter((span) => span.traceId === traceId)
  expect([...new Set(trace.map(({ service }) => service))].toSorted()).toEqual(['first', 'platform', 'second'])
  expect(trace.length).toBeGreaterThanOrEqual(8)
  const servicesOf = (wanted: string) =>
    [...new Set(trace.filter(({ name }) => name === wanted).map(({ service }) => service))].toSorted()
  expect(servicesOf('job message')).toEqual(['first', 'second'])
  expect(servicesOf('POST /v1/chat/completions')).toEqual(['platform'])
  expect(servicesOf('slack finish')).toEqual(['second'])
  const ids = new Set(trace.map(({ spanId }) => spanId))
  expect(trace.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId)).map(({ name }) => name)).toEqual([
    'event message',
  ])
  for (const canary of CANARIES) expect(receiver.bodies.join('\n')).not.toContain(canary)
})
