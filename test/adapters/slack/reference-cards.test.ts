import { expect, test } from 'vitest'
import type { Details } from '#bridge/port/forms.ts'
import type { Reference } from '#bridge/port/message.ts'
import { askedScene, outgoing } from './scene.ts'

const PUBLIC_URL = 'https://footbridge.example.org'
const AT = 1_780_000_000_000
const ANSWER = 'a_B-0123456789cd'
const reference: Reference = {
  number: 2,
  file: 'harbour.pdf',
  place: 'p.3',
  passage: 'Before. <!channel> The ferry takes 47 minutes. After.',
  support: 'The ferry takes 47 minutes.',
  droppedBy: 'Ben',
  droppedAt: '2026-05-01T10:00:00Z',
  link: 'https://a.slack.com/archives/C1/p1',
}

const pictureOf = (answer: string, number: number) => `${PUBLIC_URL}/slack/pages/${answer}.${number}`

async function shown(references: readonly Reference[] = [reference], more = { pictureOf }) {
  const scene = await askedScene({ workObjects: true, publicUrl: PUBLIC_URL, ...more })
  const send = outgoing('Passages', { kind: 'passages', references, cardsOf: { answer: ANSWER, at: AT } })
  const post = () => scene.adapter.post(scene.conversation, send)
  return { ...scene, post, send }
}

/** What Ada is shown when she opens the first card of a message. */
async function pane(
  { slack, adapter, inbounds, channel, ada }: Awaited<ReturnType<typeof shown>>,
  ts: string,
  details: Details,
) {
  await slack.openCard({ channel, ts, user: ada }).acked
  const event = inbounds.findLast(({ kind }) => kind === 'details')
  if (event?.kind !== 'details') throw new Error('Nobody heard of it.')
  await adapter.app?.showDetails(event.conversation, event.ticket, details)
  return { event, metadata: slack.workspace.flexpanes.get(ada) }
}

test('references of an answer are files as Work Objects, under one line in its thread, found again after a kill', async () => {
  const scene = await shown()
  const { slack, adapter, conversation, post, send, said } = scene
  expect(adapter.app?.opensReferences).toBe(true)
  const ref = await post()
  const message = slack.workspace.message(scene.channel, ref.id)
  expect(message).toMatchObject({
    threadTs: said.ts,
    text: 'Passages',
    entities: [
      {
        entity_type: 'slack#/entities/file',
        url: `${PUBLIC_URL}/#r-${ANSWER}-2`,
        external_ref: { id: `r-${ANSWER}-2` },
        entity_payload: {
          attributes: { title: { text: '[2] harbour.pdf · p.3' }, metadata_last_modified: AT / 1000 },
          custom_fields: [{ label: 'Passages', value: 'The ferry takes 47 minutes.' }],
        },
      },
    ],
  })
  const found = await adapter.find(conversation, { sendId: send.sendId, after: said.ts, known: [], isAnswer: false })
  expect(found?.id).toBe(ref.id)
})

test('whoever opens one gets the passage literally, a link to its file and its page as a picture, in their language', async () => {
  const scene = await shown()
  const { id } = await scene.post()
  const { event, metadata } = await pane(scene, id, { reference, at: AT })
  expect(event.reference).toEqual({ answer: ANSWER, number: 2 })
  const picture = pictureOf(ANSWER, 2)
  expect(metadata).toMatchObject({
    external_ref: { id: `r-${ANSWER}-2` },
    entity_payload: {
      attributes: {
        // As old as the card: Slack would put it into the card that all see otherwise.
        metadata_last_modified: AT / 1000,
        full_size_preview: { is_supported: true, preview_url: picture, mime_type: 'image/png' },
      },
      fields: { created_by: { user: { text: 'Ben' } }, date_created: { value: 1_777_629_600 } },
      custom_fields: [
        { key: 'passage', label: 'Passage', value: reference.passage, long: true },
        { key: 'page', label: 'Page 3', type: 'slack#/types/image', image_url: picture },
        { key: 'file', label: 'File', value: 'harbour.pdf', link: reference.link },
      ],
    },
  })
  expect(JSON.stringify(metadata)).not.toContain('"format"')
})

test.each([
  ['of a file that has no pages', { ...reference, file: 'harbour.md' }, { pictureOf }],
  ['of a line', { ...reference, place: 'L3' }, { pictureOf }],
  ['where pages are not drawn', reference, {}],
])('there is no picture %s', async (_, one, more) => {
  const scene = await shown([one], more as { pictureOf: typeof pictureOf })
  const { id } = await scene.post()
  const { metadata } = await pane(scene, id, { reference: one, at: AT })
  expect(JSON.stringify(metadata)).toContain('47 minutes')
  expect(JSON.stringify(metadata)).not.toMatch(/slack\/pages|full_size_preview/)
})

test('five references have cards: the others are lines of the answer', async () => {
  const many = Array.from({ length: 9 }, (_, index) => ({ ...reference, number: index + 1 }))
  const scene = await shown(many)
  const { id } = await scene.post()
  expect(scene.slack.workspace.message(scene.channel, id)?.entities).toHaveLength(5)
})

test('where Slack says ok and leaves them out, no empty line stays, and the bridge hears why', async () => {
  // A field without a value.
  const scene = await shown([{ number: 1, file: 'a.md', passage: '' }])
  await expect(scene.post()).rejects.toMatchObject({ code: 'invalid' })
  expect(scene.slack.transcript(scene.channel).filter(({ own }) => own)).toEqual([])
})

test.each([
  ['without an https address', { workObjects: true, publicUrl: 'http://localhost:3000' }],
  ['without an address', { workObjects: true }],
  ['unless they are switched on', { publicUrl: PUBLIC_URL }],
])('there are no cards of references %s', async (_, options) => {
  const { adapter } = await askedScene(options)
  expect(adapter.app?.opensReferences).toBe(false)
})
