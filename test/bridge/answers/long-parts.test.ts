import { describe, expect, it } from 'vitest'
import { extractLongParts } from '#bridge/answers/long-parts.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'
import { growsFaster } from '#test/support/growth.ts'

/** As long as an edited message. */
const LIKE_SLACK = { stream: { textLength: 2000, lifetimeMs: 300_000 } }
const texts = textsFor('en')
const rows = (count: number) => Array.from({ length: count }, (_, row) => `line(${row});`)
const code = (count: number, info = 'python') => `\`\`\`${info}\n${rows(count).join('\n')}\n\`\`\``
const table = (count: number) =>
  ['| berth | ship |', '|---|:-:|', ...rows(count).map((row, index) => `| ${index} | ${row}, "big" \\| red |`)].join(
    '\n',
  )

describe('an answer longer than a message', () => {
  it('has long code and tables as files, whole, and shows how they begin', () => {
    const { text, parts } = extractLongParts(`Here:\n\n${code(30)}\n\nand\n\n${table(25)}\n\nDone.`, texts)
    expect(parts.map(({ name }) => name)).toEqual(['code.py', 'table-2.csv'])
    expect(parts[0]?.text).toBe(`${rows(30).join('\n')}\n`)
    expect(parts[1]?.text.split('\n').slice(0, 2)).toEqual(['berth,ship', '0,"line(0);, ""big"" | red"'])
    expect(parts[1]?.text.trim().split('\n')).toHaveLength(26)
    expect(text).toBe(
      `Here:\n\n${code(6)}\n\n_24 more lines: all of it is in **code.py** below._\n\nand\n\n${table(6)}\n\n_19 more lines: all of it is in **table-2.csv** below._\n\nDone.`,
    )
  })

  it('has short ones, those in quotes and lists, and code without an end in its text', () => {
    for (const same of [
      code(19),
      table(19),
      code(40).replaceAll(/^/gm, '> '),
      `- so:\n${code(40).replaceAll(/^/gm, '  ')}`,
      code(40).slice(0, -3),
    ])
      expect(extractLongParts(same, texts)).toEqual({ text: same, parts: [] })
  })

  it('names no file as the text likes, and is read in linear time', () => {
    expect(extractLongParts(code(20, '../../etc/passwd'), texts).parts[0]?.name).toBe('code.txt')
    expect(extractLongParts(code(20, 'constructor'), texts).parts[0]?.name).toBe('code.txt')
    for (const hostile of ['|\n', '```\n', '| a |\n|-|\n', '```x\n|\n'])
      expect(
        growsFaster(
          (text) => extractLongParts(text, texts),
          (length) => hostile.repeat(length / hostile.length),
        ),
      ).toBeUndefined()
  })

  it('has all of it in its text where no files may be sent', async () => {
    const { chat, platform, settled } = await setUpBridge({ limits: LIKE_SLACK })
    platform.script.answer(`${'Some words. '.repeat(220)}\n\n${code(60)}`)
    chat.fail('upload', new AdapterError('forbidden', 'No files here.'))
    const asked = chat.mention('Which program?')
    expect(await settled(asked.inbound.key)).toMatchObject({ state: 'done' })
    const shown = chat.visible().map(({ text }) => text)
    expect(shown.join('\n')).toContain('line(59);')
    expect(shown.join('\n')).not.toContain('more lines')
    expect((shown.join('\n').match(/line\(/g) ?? []).length).toBe(60)
  })

  it.each([
    ['an edited question fails', 'Which one?', /can’t reach the platform/],
    ['an edit leaves no question', ' ', undefined],
  ])('loses its file where %s', async (_what, edited, notice) => {
    const { chat, platform, shows, settled } = await setUpBridge({ limits: LIKE_SLACK })
    platform.script.answer(`${'Some words. '.repeat(220)}\n\n${code(60)}`)
    const asked = chat.mention('Which program?')
    await settled(asked.inbound.key)
    const files = () => chat.visible().filter(({ id }) => chat.uploads.has(id))
    expect(files()).toHaveLength(1)
    platform.script.fail('chat.stream', platformFailure('unreachable'))
    await settled(chat.rewrite(asked, edited).inbound.key)
    if (notice !== undefined) await shows(notice)
    expect(files()).toEqual([])
  })

  it('is shown with its file once, also after a restart; another text has another file; a private one stays whole', async () => {
    const { chat, platform, shows, restart, store, settled } = await setUpBridge({ limits: LIKE_SLACK })
    const long = `${'Some words. '.repeat(220)}\n\n${code(60)}`
    platform.script.answer(long, `${'Other words. '.repeat(220)}\n\n${code(70)}`, long)
    const asked = chat.mention('Which program?')
    await shows(/54 more lines/)
    await until(() => chat.uploads.size === 1)
    await settled(asked.inbound.key)
    await store().inbox.retry(asked.inbound.key, 0, 'again', 0)
    await restart()
    await settled(asked.inbound.key)
    expect([...chat.uploads.values()].map(({ name }) => name)).toEqual(['code.py'])
    const [answer] = chat.visible().filter(({ text }) => text.startsWith('Some words'))
    chat.press(chat.visible().findLast(({ outgoing }) => outgoing.actions !== undefined)?.id ?? answer?.id ?? '', '↻')
    await shows(/64 more lines/)
    await until(() => chat.uploads.size === 2)
    const files = () => chat.visible().filter(({ id }) => chat.uploads.has(id))
    await until(() => files().length === 1)
    const call = chat.call('ask', 'Which program?')
    await settled(call.inbound.key)
    expect(files()).toHaveLength(1)
  })
})
