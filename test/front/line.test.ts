import { setImmediate as pass } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLine } from '#front/line.ts'
import { eventually } from '../support/eventually.ts'

function open({ turns, places = 100 }: { readonly turns: number; readonly places?: number }) {
  let now = 0
  const begun: string[] = []
  const ended: string[] = []
  const asked: number[] = []
  const line = createLine<string>({
    turns,
    places,
    begin: (client) => void begun.push(client),
    end: (client) => void ended.push(client),
    askRoom: (count) => void asked.push(count),
    clock: () => now,
  })
  onTestFinished(() => {
    for (const client of line.all()) line.leave(client)
  })
  return { line, begun, ended, asked, after: (ms: number) => (now += ms) }
}

describe('the line of clients', () => {
  it('reads as many as there are turns, and the next one when a client leaves', () => {
    const { line, begun } = open({ turns: 2 })
    for (const client of ['a', 'b', 'c', 'd']) line.join(client, 'network')
    expect(begun).toEqual(['a', 'b'])
    line.leave('a')
    expect(begun).toEqual(['a', 'b', 'c'])
    line.leave('d')
    line.leave('b')
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  it('begins 32 in one pass of the loop: each may bring 64 kB', async () => {
    const { line, begun } = open({ turns: 50 })
    for (let nth = 0; nth < 50; nth += 1) line.join(`${nth}`, 'network')
    expect(begun).toHaveLength(32)
    await pass()
    await pass()
    expect(begun).toHaveLength(50)
  })

  it('takes the network that has the fewest turns, however many of another one wait', () => {
    const { line, begun } = open({ turns: 2 })
    for (const client of ['a', 'b', 'c', 'd']) line.join(client, 'many')
    line.join('e', 'few')
    line.leave('a')
    expect(begun).toEqual(['a', 'b', 'e'])
  })

  it('ends who waits longest of the network with the most that wait, where there is no place', () => {
    const { line, ended } = open({ turns: 1, places: 4 })
    line.join('a', 'few')
    line.join('b', 'few')
    for (const client of ['c', 'd', 'e']) line.join(client, 'many')
    expect(ended).toEqual(['c'])
  })

  it('ends who has said nothing, or takes no last bytes, for half a second; of others it asks for room, once', async () => {
    const { line, begun, ended, asked, after } = open({ turns: 4 })
    for (const client of ['silent', 'leaving', 'served', 'young', 'next', 'other', 'third'])
      line.join(client, 'network')
    line.served('served')
    line.served('leaving')
    line.leaving('leaving')
    after(501)
    line.served('young')
    await eventually(() => ended.length === 2)
    expect([ended, begun.slice(4)]).toEqual([
      ['silent', 'leaving'],
      ['next', 'other'],
    ])
    await eventually(() => asked.length > 0)
    line.madeRoom()
    await eventually(() => asked.length > 1)
    expect([asked, ended]).toEqual([
      [1, 1],
      ['silent', 'leaving'],
    ])
  })

  it('ends nobody while nobody waits', async () => {
    const { line, ended, asked, after } = open({ turns: 1 })
    line.join('a', 'network')
    line.join('b', 'network')
    line.leave('b')
    after(10_000)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect([ended, asked]).toEqual([[], []])
  })
})
