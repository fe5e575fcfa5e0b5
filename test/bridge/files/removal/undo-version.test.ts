import { describe, expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }

/** Two versions of one file, by two people, each with its receipt. */
async function twoVersions() {
  const all = await setUpBridge()
  const { chat, platform, settled } = all
  const drop = async (text: string, author = ADA) => {
    const said = chat.drop([markdown('a.md', text)], { author })
    await settled(said.inbound.key)
    return { said, receipt: chat.visible().at(-1)?.id ?? '' }
  }
  const first = await drop('one', ADA)
  const second = await drop('two', BEN)
  const stored = () => {
    const [collection = ''] = platform.script.collections()
    return Object.fromEntries(
      platform.script.stored(collection).map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]),
    )
  }
  const shown = (id: string) => chat.visible().find((each) => each.id === id)
  const textOf = (id: string) => shown(id)?.text.split('\n')[0]
  const labels = (id: string) => shown(id)?.outgoing.actions?.map(({ label }) => label) ?? []
  const pressed = async (id: string, label: string, author = ADA) => settled(chat.press(id, label, author).inbound.key)
  return { ...all, drop, first, second, stored, textOf, labels, pressed }
}

describe('an Undo', () => {
  it.each(['Undo', 'Keep both'] as const)(
    '(%s) that the platform does not let through leaves everything as it was, and says why',
    async (label) => {
      const { platform, first, second, stored, textOf, labels, pressed, texts } = await twoVersions()
      const before = [textOf(first.receipt), textOf(second.receipt)]
      platform.script.fail('files.delete', platformFailure('unreachable'))
      await pressed(second.receipt, label, BEN)
      expect(texts().at(-1)).toMatch(/^\*\*a\.md\*\* could not be removed, so it stays: I can’t reach the platform/)
      expect([textOf(first.receipt), textOf(second.receipt)]).toEqual(before)
      expect(stored()).toEqual({ 'a.md': 'two' })
      expect(labels(second.receipt)).toEqual(['Undo', 'Keep both'])
      await pressed(second.receipt, label, BEN)
      expect(stored()).toMatchObject({ 'a.md': 'one' })
    },
  )

  it('whose answer alone is lost has gone through', async () => {
    const { platform, first, second, stored, textOf, pressed } = await twoVersions()
    platform.script.fail('files.delete', platformFailure('cut'), { after: true })
    await pressed(second.receipt, 'Undo', BEN)
    expect(stored()).toEqual({ 'a.md': 'one' })
    expect(textOf(first.receipt)).toContain('put back by Ben')
  })

  it.each(['Undo', 'Keep both'] as const)(
    '(%s) whose upload fails leaves nothing of the version that its receipt calls replaced',
    async (label) => {
      const { platform, first, second, stored, textOf, labels, pressed } = await twoVersions()
      platform.script.fail('files.upload', platformFailure('unreachable'), { times: label === 'Undo' ? 1 : 2 })
      await pressed(second.receipt, label, BEN)
      expect(stored()).toEqual({})
      expect(textOf(first.receipt)).toMatch(/^⚠️ \*\*a\.md\*\* — failed/)
      expect(labels(first.receipt)).toContain('Retry')
      await pressed(first.receipt, 'Retry')
      expect(stored()).toEqual({ 'a.md': 'one' })
      if (label === 'Undo') return
      expect(textOf(second.receipt)).toMatch(/^⚠️ \*\*a \(2\)\.md\*\* — failed/)
      await pressed(second.receipt, 'Retry', BEN)
      expect(stored()).toEqual({ 'a.md': 'one', 'a (2).md': 'two' })
    },
  )

  it('waits for a version that is on its way, and gives way to it', async () => {
    const { chat, platform, second, stored, settled, texts } = await twoVersions()
    const release = platform.script.hold('files.replace')
    const third = chat.drop([markdown('a.md', 'three')], { author: ADA })
    const uploads = () => platform.script.calls.filter(({ call }) => call === 'files.replace').length
    await until(() => uploads() === 2)
    const press = chat.press(second.receipt, 'Undo', BEN)
    release()
    await settled(third.inbound.key)
    await settled(press.inbound.key)
    expect(stored()).toEqual({ 'a.md': 'three' })
    expect(texts().join('\n')).toContain('does nothing any more')
    expect(texts().join('\n')).not.toContain('undone')
  })

  it('waits for a deletion of the earlier version, and has no way back then', async () => {
    const { chat, platform, first, second, stored, settled, textOf } = await twoVersions()
    const release = platform.script.hold('files.delete')
    const press = chat.press(second.receipt, 'Undo', BEN)
    await until(() => platform.script.calls.some(({ call }) => call === 'files.delete'))
    const gone = chat.unsay(first.said)
    release()
    await settled(press.inbound.key)
    await settled(gone.inbound.key)
    // The Undo came first: the version that it restored is taken out again, and the one that it took out does not come
    // back.
    expect(stored()).toEqual({})
    expect(textOf(second.receipt)).toContain('undone by Ben')
  })
})
