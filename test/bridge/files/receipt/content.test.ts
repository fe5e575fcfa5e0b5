import { expect, it } from 'vitest'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const name = (index: number) => `${index} ${'a very long name '.repeat(12)}.exe`

it('a receipt of many files with long names shows every one of them in one message', async () => {
  const { chat, settled, texts } = await setUpBridge()
  const dropped = chat.drop(
    Array.from({ length: 10 }, (_, index) => ({
      ...markdown(name(index), 'x'),
      mimeType: 'application/x-msdownload',
      kind: 'document' as const,
    })),
  )
  expect(await settled(dropped.inbound.key)).toMatchObject({ state: 'done' })
  expect(texts()).toHaveLength(1)
  const [text = ''] = texts()
  expect(text.length).toBeLessThanOrEqual(2000)
  expect(text.match(/^• \*\*\d a very long name .*?\*\*/gm)).toHaveLength(10)
})
