import { createHash } from 'node:crypto'
import { ACTION } from '../delivery/button-ids.ts'
import type { Button, Command, CommandDoing, JobPorts } from '../delivery/job-context.ts'
import { channelKey, type Action } from '../port/message.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import { say } from '../delivery/reply.ts'

const MOST_BUTTONS = 5
const MOST_LINES = 25
const USUAL = /^(?:usual|default|üblich|standard)$/i

/** Which models there are, and which one answers in this conversation. */
export const model: Command = {
  name: 'model',
  pattern: /^(?:models?|modelle?|(?:model|modell)\s+(\S+))$/i,
  async run(ports, doing) {
    const { argument, queue, signal, texts } = doing
    if (argument === '') return list(ports, doing)
    if (USUAL.test(argument)) {
      await ports.models.choose(queue, undefined)
      return say(doing, texts.conversation.modelReset(await ports.models.pick(signal, queue)))
    }
    const found = find(await ports.models.list(signal), argument)
    if (found === undefined) return say(doing, texts.conversation.modelUnknown(bare(argument)))
    await ports.models.choose(queue, found)
    return say(doing, texts.conversation.modelSet(found))
  },
}

/** The same by a button under the list. */
export const pickModel: Button = {
  id: ACTION.pickModel,
  async run({ models, store }, doing) {
    const { author, conversation, inbound, texts } = doing
    const payload = await store.buttonPayloads.get(inbound.action.value)
    const choice = payload?.kind === 'model' && isChoice(payload.data) ? payload.data : undefined
    if (choice === undefined || !choice.queue.startsWith(`${channelKey(conversation)}/`))
      return say(doing, texts.scope.offerOver, { privateTo: author.id })
    await models.choose(choice.queue, choice.model)
    await say(doing, texts.conversation.modelSet(choice.model))
  },
}

async function list(ports: JobPorts, doing: CommandDoing): Promise<void> {
  const { queue, signal, texts } = doing
  const { conversation } = texts
  const models = await ports.models.list(signal)
  const current = await ports.models.pick(signal, queue)
  if (current === EXTRACTIVE && models.every((name) => name === EXTRACTIVE))
    return say(doing, conversation.noModel)
  if (models.length < 2) return say(doing, conversation.onlyModel(current))
  const lines = models
    .slice(0, MOST_LINES)
    .map((name) => `- \`${name}\`${name === current ? ` — ${conversation.current}` : ''}`)
  const text = conversation.models(models.length > MOST_LINES ? [...lines, '- …'] : lines)
  const others = models.filter((name) => name !== current)
  const actions = others.length < MOST_BUTTONS ? await toButtons(ports, queue, others) : []
  await say(doing, text, actions.length > 0 ? { actions } : {})
}

async function toButtons(
  { store, clock }: JobPorts,
  queue: string,
  models: readonly string[],
): Promise<readonly Action[]> {
  const actions: Action[] = []
  for (const name of models) {
    const id = createHash('sha256').update(`model\n${queue}\n${name}`).digest('base64url').slice(0, 16)
    await store.buttonPayloads.put({ id, kind: 'model', data: { queue: queue, model: name }, at: clock() })
    actions.push({ id: ACTION.pickModel, label: name, value: id })
  }
  return actions
}

function isChoice(data: unknown): data is { readonly queue: string; readonly model: string } {
  return typeof data === 'object' && data !== null && 'lane' in data && 'model' in data
}

/** By its whole name, or by a part that only one has. */
function find(models: readonly string[], typed: string): string | undefined {
  const wanted = typed.toLowerCase()
  const whole = models.find((name) => name.toLowerCase() === wanted)
  const parts = models.filter((name) => name.toLowerCase().includes(wanted))
  return whole ?? (parts.length === 1 ? parts[0] : undefined)
}

/** Somebody's text inside a sentence of ours. */
const bare = (typed: string) => typed.replace(/[\\`*_[\]<>~|#@]/g, '')
