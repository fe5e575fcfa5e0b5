import { describe, expect, test } from 'vitest'
import type { Message } from '#bridge/port/message.ts'
import forwarded from '#test/reports/chat/slack-forward-file.json' with { type: 'json' }
import alert from '#test/reports/chat/slack-app-message-as-root.json' with { type: 'json' }
import { connectStub } from '#test/doubles/slack/people.ts'
import { type Scene, setScene } from '../scene.ts'
import { programMarkup } from '#adapters/slack/inbound/block-text.ts'

async function started() {
  const scene = await setScene()
  await scene.adapter.start(scene.receive)
  return scene
}

async function said({ slack, channel, ada, inbounds }: Scene, text: string, kept: object): Promise<Message> {
  await slack.say({ channel, user: ada, text, kept: { ...kept } }).acked
  const last = inbounds.at(-1)
  if (last?.kind !== 'message') throw new Error('nothing was heard')
  return last.message
}

const richText = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
})

describe('a forwarded message', () => {
  test.each([false, true])('brings its file, also one that is told by its id alone (%s)', async (isStub) => {
    const scene = await started()
    const [wire] = forwarded.event.attachments
    const file = scene.slack.hostFile('# Tides', wire?.files[0]?.name ?? '', 'text/markdown')
    scene.slack.workspace.files.get(file.id)?.shares.add(scene.channel)
    const files = [isStub ? connectStub(file) : file]
    const message = await said(scene, 'keep this file please', { attachments: [{ ...wire, files }] })
    expect(message.attachments).toMatchObject([{ id: file.id, name: 'shared-tides.md', kind: 'document' }])
    const [attachment] = message.attachments
    if (attachment === undefined) throw new Error('no file')
    const bytes = await scene.adapter.open(attachment, AbortSignal.timeout(10_000))
    expect(await new Response(bytes).text()).toBe('# Tides')
  })

  test('of a program is quoted from its blocks', async () => {
    const scene = await started()
    const message_blocks = [
      { team: 'T1', channel: 'C9', ts: '1.1', message: { blocks: [richText('Disk ZB7 is <full>')] } },
    ]
    const attachments = [{ is_share: true, author_name: 'Alarm', text: '', message_blocks }]
    const message = await said(scene, 'is this bad?', { attachments })
    expect(message.text).toBe('is this bad?\n\n> Alarm: Disk ZB7 is <full>')
  })

  test.each([
    ['Alert', 'Alert\n> Disk ZB7 is <full>'],
    ['Disk ZB7', 'Disk ZB7 is <full>'],
    // A person's text has the same words, and its marks.
    ['Disk *ZB7* is &lt;full&gt;', 'Disk **ZB7** is <full>'],
  ])('of a program is quoted whole where its text is %j', async (text, quoted) => {
    const scene = await started()
    const message_blocks = [{ message: { blocks: [richText('Disk ZB7 is <full>')] } }]
    const attachments = [{ is_share: true, author_name: 'Alarm', text, message_blocks }]
    const message = await said(scene, 'is this bad?', { attachments })
    expect(message.text).toBe(`is this bad?\n\n> Alarm: ${quoted}`)
  })

  test('keeps its file when another one is removed from the message', async () => {
    const scene = await started()
    const { slack, channel, ada } = scene
    const [own, theirs] = ['own.md', 'theirs.md'].map((name) => slack.hostFile('x', name, 'text/markdown'))
    if (own === undefined || theirs === undefined) throw new Error('no files')
    const attachments = [{ is_share: true, text: '', files: [theirs] }]
    const { ts } = slack.say({ channel, user: ada, files: [own], kept: { attachments } })
    await slack.deleteFile(channel, ts, own.id).changed.acked
    const left = scene.inbounds.find(({ kind }) => kind === 'files-left')
    expect(left).toMatchObject({ left: [theirs.id] })
  })
})

test('the words of a program that stand in blocks and attachments alone are read in its thread', async () => {
  const scene = await started()
  const { slack, channel, ada } = scene
  const { text: _, ...root } = alert.root
  const { ts } = slack.say({ channel, user: 'UALERT', text: '', kept: { ...root, user: undefined } })
  const asked = slack.say({ channel, user: ada, thread: ts, text: 'what does this mean?', mention: true })
  await asked.acked
  const conversation = { adapter: 'slack', workspace: slack.teamId, channel, thread: ts, direct: false }
  const [first] = (await scene.adapter.history(conversation, asked.ts)) ?? []
  expect(first?.text).toContain('ZALERT5')
  expect(first?.text).toContain('ZHOST6')
  expect(first?.author.name).toBe('alarm')
  // A program's message asks for nothing.
  expect(scene.inbounds.filter((one) => one.kind === 'message' && one.message.id === ts)).toEqual([])
})

test.each([
  [
    'a text is said once where its blocks repeat it',
    { text: 'Disk full', blocks: [richText('Disk *full* now')] },
    'Disk *full* now',
  ],
  ['a summary stays beside other blocks', { text: 'Alert', blocks: [richText('Disk full')] }, 'Alert\nDisk full'],
  [
    'buttons say nothing',
    {
      text: '',
      blocks: [{ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Ack' } }] }],
    },
    '',
  ],
  [
    'numbers and levels of lists, addresses with a line, dates without words',
    {
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_list',
              style: 'ordered',
              offset: 2,
              elements: ['Stop', 'Go'].map((text) => ({
                type: 'rich_text_section',
                elements: [{ type: 'text', text }],
              })),
            },
            {
              type: 'rich_text_list',
              style: 'bullet',
              indent: 1,
              elements: [
                {
                  type: 'rich_text_section',
                  elements: [
                    { type: 'link', url: 'https://a.example/?q=a|b', text: 'log' },
                    { type: 'text', text: ' of ' },
                    { type: 'date', timestamp: 1_767_225_600, format: '{date}' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    '3. Stop\n4. Go\n    - <https://a.example/?q=a%7Cb|log> of 2026-01-01',
  ],
  [
    'fields, lists, links and rows',
    {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Deploy <1>' } },
        {
          type: 'section',
          fields: [
            { type: 'mrkdwn', text: '*Env*: prod' },
            { type: 'mrkdwn', text: '*By*: Ada' },
          ],
        },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [
                { type: 'rich_text_section', elements: [{ type: 'link', url: 'https://a.example', text: 'log' }] },
              ],
            },
          ],
        },
        {
          type: 'table',
          rows: [
            [
              { type: 'raw_text', text: 'a' },
              { type: 'raw_text', text: 'b' },
            ],
          ],
        },
        { type: 'container', child_blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', text: 'inner' }] }] },
      ],
    },
    'Deploy &lt;1&gt;\n*Env*: prod\n*By*: Ada\n- <https://a.example|log>\n| a | b |\ninner',
  ],
  [
    'an attachment of the older kind',
    {
      attachments: [
        { title: 'Build', fields: [{ title: 'Result', value: 'red' }], fallback: 'not shown' },
        { fallback: 'shown' },
      ],
    },
    'Build\nResult: red\nshown',
  ],
])('%s', (_, wire, markup) => expect(programMarkup(wire)).toBe(markup))
