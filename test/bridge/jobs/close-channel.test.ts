import { expect, it } from 'vitest'
import { closeChannel } from '#bridge/jobs/close-channel.ts'
import { forgetWorkspace } from '#bridge/jobs/forget-workspace.ts'
import { createTokens } from '#src/mcp/askers/tokens.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { memoryState } from '#test/support/fakes/state.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const ADA = { id: 'U-ada', name: 'Ada', language: 'en' }
const running = { interruptJob: () => undefined, endAll: async () => undefined }
const room = (channel: string) => ({ adapter: 'fake', workspace: 'W1', channel, direct: false })

/** A private channel with a file, and a second one that uses its collection and drops into it, too. */
async function linked() {
  const set = await setUpBridge()
  const { chat, platform } = set
  for (const name of ['board', 'yard'])
    chat.room(`C-${name}`, { name, isPublic: false, members: [ADA.id], admins: [ADA.id] })
  chat.drop([markdown('board.md', '# Board'), markdown('both.md', '# Both')], { channel: 'C-board', author: ADA })
  await set.shows(/board\.md.*ready/)
  const asked = chat.mention('link #board', { channel: 'C-yard', author: ADA, channels: ['C-board'] })
  await set.settled(asked.inbound.key)
  const link = chat.visible(room('C-yard')).at(-1)?.id ?? ''
  await set.settled(chat.press(link, 'Link', ADA).inbound.key)
  const files = [markdown('yard.md', '# Yard'), markdown('both.md', '# Both')]
  const dropped = chat.drop(files, { channel: 'C-yard', author: ADA })
  await set.settled(dropped.inbound.key)
  const [collection = ''] = platform.script.collections()
  const { store } = set
  const services = {
    store: store(),
    platform,
    sources: { drop: async () => undefined },
    settings: { change: async () => undefined },
    clock: Date.now,
  } as unknown as Parameters<typeof closeChannel>[0]
  const names = () => platform.script.stored(collection).map(({ name }) => name)
  expect(names().toSorted()).toEqual(['board.md', 'both.md', 'yard.md'])
  return { ...set, services, names, collection }
}

const { signal } = new AbortController()

it('the files that a deleted channel gave to another one go; what that one dropped itself stays', async () => {
  const { services, names, collection, store } = await linked()
  const adapter = { ...createFakeAdapter(), describeChannel: async () => undefined }
  const gone = { kind: 'channel-gone', key: 'gone', conversation: room('C-yard'), isDeleted: true } as const
  await closeChannel(services, { adapter, running, signal }, gone)
  expect(names().toSorted()).toEqual(['board.md', 'both.md'])
  expect(await store().originals.list(collection)).toHaveLength(2)
  expect(await store().files.ofChannel('fake:W1:C-yard')).toEqual([])
  const record = await store().channels.ofCollection(collection)
  expect(record?.key).toBe('fake:W1:C-board')
})

it('so do those that a channel of a workspace gave to one elsewhere', async () => {
  const { services, names, store } = await linked()
  const board = await store().channels.get('fake:W1:C-board')
  // The channel with the collection is in another workspace.
  const ofWorkspace = async () =>
    (await store().channels.ofWorkspace('fake', 'W1')).filter(({ key }) => key !== board?.key)
  const kept = { ...services.store, channels: { ...services.store.channels, ofWorkspace } }
  const event = { kind: 'workspace-gone', key: 'gone', adapter: 'fake', workspace: 'W1' } as const
  await forgetWorkspace({ ...services, store: kept }, { adapter: {}, running, signal }, event)
  expect(names().toSorted()).toEqual(['board.md', 'both.md'])
})

it('a file that the other channel dropped as well stays there', async () => {
  const { services, names, chat, settled, files } = await linked()
  const again = chat.drop([markdown('yard.md', '# Yard')], { channel: 'C-board', author: ADA })
  await settled(again.inbound.key)
  const adapter = { ...createFakeAdapter(), describeChannel: async () => undefined }
  const gone = { kind: 'channel-gone', key: 'gone', conversation: room('C-yard'), isDeleted: true } as const
  await closeChannel(services, { adapter, running, signal }, gone)
  expect(names()).toContain('yard.md')
  expect((await files().list(room('C-board'))).map(({ name }) => name)).toContain('yard.md')
})

it('the tokens of the people of a deleted workspace end with it, and no others', async () => {
  const { services } = await linked()
  const state = memoryState()
  const tokens = createTokens(state, 'https://footbridge.example.org/mcp')
  const make = async (adapter: string, workspace: string) =>
    (await tokens.make({ adapter, workspace, personId: ADA.id }, 'laptop')) ?? ''
  const gone = await make('fake', 'W1')
  const others = [await make('fake', 'W2'), await make('other', 'W1')]
  for (const token of [gone, ...others]) expect(await tokens.find(token)).toBeDefined()
  const event = { kind: 'workspace-gone', key: 'gone', adapter: 'fake', workspace: 'W1' } as const
  await forgetWorkspace({ ...services, tokens }, { adapter: {}, running, signal }, event)
  expect(await tokens.find(gone)).toBeUndefined()
  for (const token of others) expect(await tokens.find(token)).toBeDefined()
  expect(await state.keys()).toHaveLength(4)
})
