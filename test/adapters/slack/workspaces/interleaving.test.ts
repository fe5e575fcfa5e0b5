import { env, stdout } from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { SlackAdapter } from '#adapters/slack/adapter.ts'
import type { Inbound, InboundOf } from '#bridge/port/message.ts'
import { setMany } from './many.ts'

/** All of it: INTERLEAVING=full nice -n 15 npx vitest run test/adapters/slack/workspaces/interleaving.test.ts */
const SIZE =
  env['INTERLEAVING'] === 'full'
    ? { workspaces: 200, calls: 50_000, at: 40, timeoutMs: 1_800_000 }
    : { workspaces: 12, calls: 600, at: 12, timeoutMs: 60_000 }
const HOURS_MS = 3600_000

/** The same numbers each time. */
function createChance(seed = 20_261_122) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

const idOf = (index: number) => `T${String(index).padStart(4, '0')}`

it(
  `${SIZE.workspaces} workspaces in three adapters on one store: no call has another's token, no answer stands elsewhere`,
  async () => {
    const { cloud, make, install, advance, lines } = await setMany()
    cloud.oauth.rotates = true
    const chance = createChance()
    const asked: InboundOf<'message'>[] = []
    const strays: string[] = []
    const adapters: SlackAdapter[] = []
    for (let number = 0; number < 3; number += 1) {
      const adapter = make()
      await adapter.start(async (inbound: Inbound) => void (inbound.kind === 'message' && asked.push(inbound)))
      adapters.push(adapter)
    }
    const any = () => adapters[chance(adapters.length)] as SlackAdapter
    cloud.deliverTo({ fetch: (request) => any().fetch(request) })
    const ids = Array.from({ length: SIZE.workspaces }, (_, index) => idOf(index))
    for (const id of ids) {
      await install(id, any())
      const team = cloud.teams.get(id)
      team?.workspace.addChannel({ id: 'C0SAME', name: `ferry-${id}`, creator: 'U0SAME' })
      team?.workspace.addUser({ id: 'U0SAME', name: `Ada of ${id}` })
      team?.workspace.channel('C0SAME').members.add('U0SAME')
    }
    const calls = () => [...cloud.teams.values()].reduce((sum, team) => sum + team.calls.length, 0)
    let questions = 0

    /** One question from one of the workspaces, and what the bridge does for it, on any of the adapters. */
    async function ask(): Promise<void> {
      const id = ids[chance(ids.length)] ?? ''
      const team = cloud.teams.get(id)
      if (team === undefined) return
      const number = (questions += 1)
      const file = team.hostFile(`bytes of ${id}`, `of-${id}.md`, 'text/markdown')
      const text = `question ${number} of ${id}`
      await team.say({ channel: 'C0SAME', user: 'U0SAME', text, mention: true, order: 'message-only', files: [file] })
        .acked
      const inbound = asked.findLast(({ message }) => message.text === text)
      if (inbound === undefined) return void strays.push(`${id}: question ${number} did not arrive`)
      const { conversation, author, attachments, id: messageId } = inbound.message
      const says = (found: unknown, wanted: unknown, what: string) =>
        void (found === wanted || strays.push(`${id}: ${what} is ${String(found)}`))
      says(conversation.workspace, id, 'workspace')
      // The look-up of a name has a time limit: on a busy machine the person's id takes its place.
      if (author.name !== 'U0SAME') says(author.name, `Ada of ${id}`, 'author')
      const adapter = any()
      const acts = [
        async () => says((await adapter.describeChannel(conversation))?.name, `ferry-${id}`, 'channel'),
        async () => says(await adapter.people?.kindOf(conversation, 'U0SAME'), 'member', 'kind'),
        async () => says(await adapter.isMember(conversation, 'U0SAME'), true, 'member'),
        async () => says((await adapter.read({ conversation, id: messageId }))?.text, text, 'message'),
        async () => says((await adapter.app?.channelsOf(id, 'U0SAME'))?.[0]?.name, `ferry-${id}`, 'list'),
        async () => {
          const [attachment] = attachments
          if (attachment === undefined) return
          const bytes = await adapter.open(attachment, AbortSignal.timeout(20_000))
          says(await new Response(bytes).text(), `bytes of ${id}`, 'file')
        },
      ]
      await acts[chance(acts.length)]?.()
      const ref = await adapter.post(conversation, { sendId: `s${number}`, kind: 'answer', text: `draft for ${text}` })
      await nextTurn()
      await any().edit?.(ref, { sendId: `s${number}`, kind: 'answer', text: `answer to ${text}` })
    }

    let renewals = 0
    const worker = async (): Promise<void> => {
      while (calls() < SIZE.calls && strays.length < 20) {
        await ask().catch((error: unknown) => strays.push(String(error)))
        // Every token is near its end three times: renewals fall between calls of all workspaces.
        if (calls() > (SIZE.calls * (renewals + 1)) / 4 && renewals < 3) {
          renewals += 1
          advance(11 * HOURS_MS)
        }
      }
    }
    await Promise.all(Array.from({ length: SIZE.at }, worker))

    for (const [id, team] of cloud.teams) {
      for (const { own, text, body } of team.transcript('C0SAME'))
        if (own && !`${text} ${body}`.includes(`answer to question`)) strays.push(`${id}: ${text}`)
        else if (own && !text.endsWith(` of ${id}`)) strays.push(`${id} has an answer for another: ${text}`)
    }
    const figures = { questions, calls: calls(), renewals: cloud.oauth.exchanges.length - SIZE.workspaces }
    if (env['INTERLEAVING'] === 'full') stdout.write(`${JSON.stringify(figures)}\n`)
    expect({ crossings: cloud.crossings, strays, refused: cloud.refused.length }).toEqual({
      crossings: [],
      strays: [],
      refused: 0,
    })
    expect(figures.calls).toBeGreaterThanOrEqual(SIZE.calls)
    expect(figures.renewals).toBeGreaterThan(0)
    expect(JSON.stringify(lines)).not.toMatch(/xoxb|xoxe/)
  },
  SIZE.timeoutMs,
)
