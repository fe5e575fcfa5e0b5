import { expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Said } from '#test/support/fakes/chat.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }
const { signal } = new AbortController()

async function setUp() {
  const all = await setUpBridge()
  const { chat, settled } = all
  const drop = async (name: string, text: string, author = ADA) => {
    const said = chat.drop([markdown(name, text)], { author })
    expect(await settled(said.inbound.key)).toMatchObject({ state: 'done' })
    return said
  }
  let count = 0
  /** A button that is under no message: a panel has it. */
  const press = async (said: Said, id: string, value: string, author = ADA) => {
    const { conversation } = placeOf(said)
    const key = `panel:${++count}`
    const inbound = { kind: 'action', key, conversation, author, messageId: '', action: { id, value } } as const
    chat.redeliver({ ...said, inbound })
    expect(await settled(key)).toMatchObject({ state: 'done' })
  }
  return { ...all, drop, press }
}

function placeOf({ inbound }: Said) {
  if (inbound.kind !== 'message') throw new Error('A drop is a message.')
  return inbound.message
}

it('lists files with their versions, and opens each as it was dropped', async () => {
  const { drop, files } = await setUp()
  const first = await drop('plan.md', 'one')
  const second = await drop('plan.md', 'two and more', BEN)
  const { conversation } = placeOf(first)
  const [plan, ...others] = await files().list(conversation)
  expect(others).toEqual([])
  expect(plan).toMatchObject({
    name: 'plan.md',
    version: 2,
    state: 'ready',
    sizeBytes: 12,
    droppedBy: 'Ben',
    messageId: second.id,
    retryable: false,
    earlier: [{ version: 1, droppedBy: 'Ada', messageId: first.id }],
  })
  const open = async (id = '') => (await files().open(conversation, id, signal))?.bytes.text()
  expect([await open(plan?.id), await open(plan?.earlier[0]?.id)]).toEqual(['two and more', 'one'])
  const elsewhere = { ...conversation, channel: 'C-other' }
  expect([await files().list(elsewhere), await files().open(elsewhere, plan?.id ?? '', signal)]).toEqual([
    [],
    undefined,
  ])
})

it('does not take the platform’s file for a newer drop of its name that failed before its bytes were kept', async () => {
  const { drop, files, chat, settled } = await setUp()
  const first = await drop('plan.md', 'one')
  chat.fail('open', new AdapterError('forbidden', 'Not for us.'), { times: 9 })
  await settled(chat.drop([markdown('plan.md', 'two')], { author: BEN }).inbound.key)
  const { conversation } = placeOf(first)
  const [failed, live] = await files().list(conversation)
  expect([failed?.state, live?.state]).toEqual(['failed', 'ready'])
  await expect(files().open(conversation, failed?.id ?? '', signal)).rejects.toThrow('Not for us.')
  expect(await (await files().open(conversation, live?.id ?? '', signal))?.bytes.text()).toBe('one')
})

it('finds files by their texts, marks and case left aside, in this channel alone', async () => {
  const { drop, files } = await setUp()
  const said = await drop('plan.md', '# Plan\n\nThe crane stands at the quay.\nA Fähre leaves at noon.\n')
  await drop('long.md', `# Long\n\n${'word '.repeat(60)}needle ${'word '.repeat(100)}\n`)
  const { conversation } = placeOf(said)
  const found = async (words: readonly string[], place = conversation) =>
    (await files().search(place, words, signal)).map(({ file, line }) => [file.name, line])
  await expect.poll(() => found(['quay'])).toEqual([['plan.md', 'The crane stands at the quay.']])
  expect(await found(['fahr'])).toEqual([['plan.md', 'A Fähre leaves at noon.']])
  // Both words, in different lines: the first of those with most of them.
  expect(await found(['noon', 'crane'])).toEqual([['plan.md', 'The crane stands at the quay.']])
  expect(await found(['noon', 'needle'])).toEqual([])
  const [[name, line = ''] = []] = await found(['needle'])
  expect([name, line.length <= 400, line.includes('needle')]).toEqual(['long.md', true, true])
  await drop('ferry.md', `# Ferry\n\n${'word '.repeat(100)}Fähre ${'word '.repeat(60)}\n`)
  expect((await found(['fahr'])).find(([file]) => file === 'ferry.md')?.[1]).toContain('Fähre')
  expect(await found(['quay'], { ...conversation, channel: 'C-other' })).toEqual([])
  expect(await files().search(conversation, ['quay'], AbortSignal.abort())).toEqual([])
})

it('tells the headings of a file that name something, its title last, and those of no other channel', async () => {
  const { drop, files } = await setUp()
  const said = await drop(
    'plan.md',
    `# The plan\n\nx\n\n## Who we are\n\nx\n\n## Wer wir sind\n\nx\n\n## Opening hours\n\ny\n\n## Fees\n\n## Fees\n\n## ${'z'.repeat(90)}\n`,
  )
  const { conversation } = placeOf(said)
  const [plan] = await files().list(conversation)
  const outline = (place = conversation) => files().outline(place, plan?.id ?? '')
  expect(await outline()).toEqual({ pages: 0, headings: ['Opening hours', 'Fees', 'The plan'] })
  expect(await outline({ ...conversation, channel: 'C-other' })).toBeUndefined()
})

it('deletes a file with all versions, for whoever dropped them, and tries a failed one again', async () => {
  const { drop, files, press, platform, texts } = await setUp()
  const said = await drop('plan.md', 'one', BEN)
  await drop('plan.md', 'two and more')
  platform.script.breakFile('bad.md', 'It is damaged.')
  await drop('bad.md', 'x')
  const { conversation } = placeOf(said)
  const listed = async () => (await files().list(conversation)).map(({ name, state }) => `${name} ${state}`)
  const idOf = async (name: string) => (await files().list(conversation)).find((file) => file.name === name)?.id ?? ''
  expect(await listed()).toEqual(['bad.md failed', 'plan.md ready'])
  const plan = await idOf('plan.md')
  await press(said, 'file.forget-id', plan)
  expect(texts().at(-1)).toContain('Ben')
  expect(await listed()).toContain('plan.md ready')
  platform.script.breakFile('bad.md', undefined)
  await press(said, 'file.retry-id', await idOf('bad.md'))
  expect(await listed()).toContain('bad.md ready')
  await press(said, 'file.retry-id', plan)
  expect(texts().at(-1)).toMatch(/button/i)
  await press(said, 'file.forget-id', 'nobody#0')
  await drop('own.md', 'first')
  await drop('own.md', 'second')
  await press(said, 'file.forget-id', await idOf('own.md'))
  expect((await listed()).toSorted()).toEqual(['bad.md ready', 'plan.md ready'])
})
