import { expect, test } from 'vitest'
import type { Card, Details } from '#bridge/port/forms.ts'
import { askedScene } from './scene.ts'

const AT = 1_780_000_000_000
const URL = 'https://footbridge.example.org/#c1/m1'
const card: Card = {
  url: URL,
  title: 'How long does it take?',
  text: '47 minutes.',
  note: 'Footbridge, from a.pdf',
  at: AT,
}
const details: Details = {
  at: AT,
  title: card.title,
  text: 'It takes <!channel> **47 minutes** [1].',
  references: [{ number: 1, file: 'a.pdf', place: 'p.3', passage: 'The ferry takes 47 minutes. <@U1>' }],
}

async function linked() {
  const scene = await askedScene({ workObjects: true })
  const { ts } = scene.slack.say({ channel: scene.channel, user: scene.ada, text: `see ${URL}` })
  const show = () => scene.adapter.app?.showCards({ conversation: scene.conversation, id: ts }, [card])
  const message = () => scene.slack.workspace.message(scene.channel, ts)
  return { ...scene, ts, show, message }
}

/** Ada opens the card; gives the event as the bridge gets it. */
async function opened({ slack, inbounds, channel, ada, ts }: Awaited<ReturnType<typeof linked>>) {
  await slack.openCard({ channel, ts, user: ada }).acked
  const event = inbounds.findLast(({ kind }) => kind === 'details')
  if (event?.kind !== 'details') throw new Error('Nobody heard of it.')
  return event
}

test('a card is a Work Object whose address has no marks that Slack refuses in an id', async () => {
  const { show, message } = await linked()
  await show()
  expect(message()?.entities).toMatchObject([
    {
      entity_type: 'slack#/entities/content_item',
      app_unfurl_url: URL,
      url: URL,
      external_ref: { id: expect.stringMatching(/^[0-9a-f]{64}$/) },
      entity_payload: {
        attributes: { title: { text: card.title } },
        fields: { description: { value: '47 minutes.\n\nFootbridge, from a.pdf' } },
      },
    },
  ])
  expect(message()?.unfurls).toBeUndefined()
})

test('whoever opens it gets the answer, and its passages literally, within a second', async () => {
  const scene = await linked()
  await scene.show()
  const begin = performance.now()
  const event = await opened(scene)
  expect(event).toMatchObject({ url: URL, author: { id: scene.ada }, conversation: { channel: scene.channel } })
  await scene.adapter.app?.showDetails(event.conversation, event.ticket, details)
  expect(performance.now() - begin).toBeLessThan(1000)
  const shown = scene.slack.workspace.flexpanes.get(scene.ada)
  expect(shown).toMatchObject({
    url: URL,
    external_ref: scene.message()?.entities?.[0]?.['external_ref'],
    entity_payload: {
      fields: { description: { value: expect.stringMatching(/<.!channel> \*\*47/), format: 'markdown' } },
      custom_fields: [
        {
          key: 'passage_1',
          label: '[1] a.pdf · p.3',
          value: 'The ferry takes 47 minutes. <@U1>',
          type: 'string',
          long: true,
        },
      ],
    },
  })
  expect(JSON.stringify(shown)).not.toMatch(/"passage_1".*"format"/)
})

test('a link to a file is a file, and opens with how it begins, literally', async () => {
  const scene = await linked()
  const file = { droppedBy: 'Ada', droppedAt: '2026-11-03T10:00:00.000Z' }
  const { conversation, ts: id, adapter, message } = scene
  const fileCard = { ...card, title: 'a.md', note: 'Footbridge, dropped by Ada', file }
  await adapter.app?.showCards({ conversation, id }, [fileCard])
  const fields = { created_by: { user: { text: 'Ada' } }, date_created: { value: 1_793_700_000 } }
  expect(message()?.entities).toMatchObject([
    {
      entity_type: 'slack#/entities/file',
      app_unfurl_url: URL,
      entity_payload: {
        attributes: { title: { text: 'a.md' } },
        fields: {},
        custom_fields: [{ key: 'beginning', label: 'Footbridge, dropped by Ada', value: '47 minutes.' }],
      },
    },
  ])
  const { conversation: opener, ticket } = await opened(scene)
  const text = '# A\n\n<!channel> *47*'
  await adapter.app?.showDetails(opener, ticket, { at: AT, title: 'a.md', text, references: [], file })
  expect(scene.slack.workspace.flexpanes.get(scene.ada)).toMatchObject({
    entity_payload: { fields, custom_fields: [{ key: 'beginning', label: 'Beginning', value: text }] },
  })
})

test('whoever may not see it gets the reason in its place', async () => {
  const scene = await linked()
  await scene.show()
  const { conversation, ticket } = await opened(scene)
  await scene.adapter.app?.showDetails(conversation, ticket, { refusal: 'Guests may not use me here.' })
  expect(scene.slack.workspace.flexpanes.get(scene.ada)).toEqual({
    error: { status: 'custom', custom_message: 'Guests may not use me here.', message_format: 'markdown' },
  })
})

test('whatever Slack refuses of a press, nobody tries it again after three seconds, and the operator is told', async () => {
  const scene = await linked()
  await scene.show()
  const { conversation, ticket } = await opened(scene)
  scene.slack.script('entity.presentDetails', { error: 'invalid_metadata' }, { status: 429, retryAfter: 1 })
  for (let time = 0; time < 2; time += 1) await scene.adapter.app?.showDetails(conversation, ticket, details)
  expect(scene.lines.filter(({ level }) => level === 'warn')).toHaveLength(2)
})

test('a press that was answered, or waits for more than three seconds, is left', async () => {
  const scene = await linked()
  await scene.show()
  const { triggers } = scene.slack.workspace
  const first = await opened(scene)
  for (let time = 0; time < 2; time += 1)
    await scene.adapter.app?.showDetails(first.conversation, first.ticket, details)
  const late = await opened(scene)
  for (const [id, trigger] of triggers) triggers.set(id, { ...trigger, at: trigger.at - 3_100 })
  await scene.adapter.app?.showDetails(late.conversation, late.ticket, details)
  const errors = scene.slack.callsOf('entity.presentDetails').map(({ error }) => error)
  expect(errors).toEqual([undefined, 'invalid_trigger_id', 'invalid_trigger_id'])
  expect(scene.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([])
})

test('where Slack says ok and leaves it out, the card shows as blocks', async () => {
  const scene = await linked()
  await scene.adapter.app?.showCards({ conversation: scene.conversation, id: scene.ts }, [{ ...card, title: '' }])
  expect(Object.keys(scene.message()?.unfurls ?? {})).toEqual([URL])
  expect(scene.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
})

test('where Slack refuses it, the card shows as blocks', async () => {
  const scene = await linked()
  scene.slack.script('chat.unfurl', { error: 'missing_unfurls' })
  await scene.show()
  expect(Object.keys(scene.message()?.unfurls ?? {})).toEqual([URL])
})

test('where the manifest has no Work Objects, Slack leaves them out without a word: that is why they are switched on', async () => {
  const scene = await linked()
  scene.slack.workspace.hasWorkObjects = false
  await scene.show()
  expect([scene.message()?.entities, scene.message()?.unfurls]).toEqual([undefined, undefined])
})

test('a card that is opened in a search of Slack names no channel: nothing is said', async () => {
  const scene = await linked()
  const event = {
    type: 'entity_details_requested',
    user: scene.ada,
    trigger_id: '1.1',
    entity_url: URL,
    event_ts: '1.5',
  }
  await scene.slack.sendEvent(event).acked
  expect(scene.inbounds.filter(({ kind }) => kind === 'details')).toEqual([])
})
