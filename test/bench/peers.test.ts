import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerEnd, questionText, startModel } from '#bench/model.ts'
import { startProgram } from '#bench/process.ts'
import { openDiscord, openSlack } from '#bench/stage.ts'
import { inLong } from '#test/support/forms.ts'

const pathOf = (peer: string) => fileURLToPath(new URL(`../../bench/peers/${peer}.ts`, import.meta.url))

describe.each([
  ['slack', openSlack],
  ['discord', openDiscord],
] as const)('the smallest possible bot on %s', (name, open) => {
  it('shows the first piece at once and the whole answer at the end', inLong, async () => {
    await using scope = new AsyncDisposableStack()
    const model = scope.use(await startModel())
    const stage = scope.use(await open())
    const args = [...stage.peerArgs, model.baseUrl]
    scope.use(await startProgram({ script: pathOf(name), args, ready: /^ready$/ }))
    const asked = [1, 2].map((id) => stage.ask(id, id, questionText(id)))
    await Promise.all(asked.map(({ answered }) => answered))
    for (const asking of asked) {
      const shown = asking.shown()
      expect(shown[0]).toBe(`Answer ${asking.id} `)
      expect(shown.at(-1)).toContain(answerEnd(asking.id))
      // The model's own time lies within the whole, and something is left of it.
      expect(asking.firstVisibleAt() - asking.at).toBeGreaterThan(model.ownMs(asking.id))
    }
  })

  it('has at most 40 lines', () => {
    expect(readFileSync(pathOf(name), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(40)
  })
})
