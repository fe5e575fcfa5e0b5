import { command } from '#lexicon/command.ts'
import { stableId } from '#lib/stable-id.ts'
import { mayConfigure, type WithAuthority } from '#bridge/channels/authorize.ts'
import { EXTRACTIVE, type Models } from '#bridge/channels/models.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext, MessageContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Action } from '#bridge/port/message.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { Store } from '#bridge/port/store.ts'
import type { Feature } from '../feature.ts'
import { withoutMarkup } from '#bridge/texts/formats.ts'

interface Services extends WithAuthority {
  readonly models: Models
  readonly store: Pick<Store, 'buttonPayloads'>
  readonly clock: Clock
  /** People who run Footbridge. */
  readonly admins: ReadonlySet<string>
}

const MAX_BUTTONS = 5
const MAX_LINES = 25
const USUAL = command('usual')

/** Lists the models, and changes the one of this conversation, by words or by a button. */
export const createModelChoice = (services: Services): Feature => ({
  commands: [
    {
      name: 'model',
      pattern: new RegExp(`${command('model').source}|${command('modelOf', String.raw`\s+(\S+)`).source}`, 'iu'),
      async run(ctx, argument) {
        const { queue, signal } = ctx
        const { models } = services
        const { modelReset, modelUnknown } = ctx.texts.conversation
        if (argument === '') return list(services, ctx)
        if (!(await mayChoose(services, ctx, queue))) return ctx.whisper(ctx.texts.channels.adminsOnly)
        if (USUAL.test(argument)) {
          await models.choose(queue, undefined)
          return ctx.reply(modelReset(await models.pick(signal, queue)))
        }
        const found = find(await models.list(signal), argument)
        if (found === undefined) return ctx.reply(modelUnknown(withoutMarkup(argument)))
        await models.choose(queue, found)
        return ctx.reply(chosenText(ctx, queue, found))
      },
    },
  ],
  buttons: [
    {
      id: ACTION.pickModel,
      async run(ctx, { value }) {
        const payload = await services.store.buttonPayloads.get(value)
        const choice = payload?.kind === 'model' && isChoice(payload.data) ? payload.data : undefined
        const isHere = choice !== undefined && `${choice.queue}/`.startsWith(`${channelKey(ctx.conversation)}/`)
        if (!isHere) return ctx.whisper(ctx.texts.channels.offerOver)
        if (!(await mayChoose(services, ctx, choice.queue))) return ctx.whisper(ctx.texts.channels.adminsOnly)
        await services.models.choose(choice.queue, choice.model)
        await ctx.reply(chosenText(ctx, choice.queue, choice.model))
      },
    },
  ],
})

/** Whether this is the model of the whole channel, and not of one conversation in it. */
const isForWholeChannel = ({ conversation }: JobContext, queue: string) => queue === channelKey(conversation)

const mayChoose = async (services: Services, ctx: JobContext, queue: string) =>
  !isForWholeChannel(ctx, queue) || mayConfigure(services, ctx, ctx.conversation)

const chosenText = (ctx: JobContext, queue: string, model: string) =>
  isForWholeChannel(ctx, queue) ? ctx.texts.conversation.modelSetHere(model) : ctx.texts.conversation.modelSet(model)

async function list(services: Services, ctx: MessageContext): Promise<void> {
  const { queue, signal } = ctx
  const { conversation } = ctx.texts
  const models = await services.models.list(signal)
  const current = await services.models.pick(signal, queue)
  if (current === EXTRACTIVE && models.every((name) => name === EXTRACTIVE)) {
    // Where one person uses the service, that person runs Footbridge.
    const isOperator =
      ctx.adapter.people === undefined || services.admins.has(`${ctx.conversation.adapter}:${ctx.author.id}`)
    return ctx.reply(isOperator ? conversation.noModelYet : conversation.noModel)
  }
  if (models.length < 2) return ctx.reply(conversation.onlyModel(current))
  const lines = models
    .slice(0, MAX_LINES)
    .map((name) => `- \`${name}\`${name === current ? ` — ${conversation.current}` : ''}`)
  const text = conversation.models(models.length > MAX_LINES ? [...lines, '- …'] : lines)
  const others = models.filter((name) => name !== current)
  const actions = others.length < MAX_BUTTONS ? await toButtons(services, queue, others) : []
  await ctx.reply(text, { actions })
}

function toButtons({ store, clock }: Services, queue: string, models: readonly string[]): Promise<readonly Action[]> {
  return Promise.all(
    models.map(async (name) => {
      const id = stableId(16, 'model', queue, name)
      await store.buttonPayloads.put({ id, kind: 'model', data: { queue, model: name }, at: clock() })
      return { id: ACTION.pickModel, label: name, value: id }
    }),
  )
}

function isChoice(data: unknown): data is { readonly queue: string; readonly model: string } {
  return typeof data === 'object' && data !== null && 'queue' in data && 'model' in data
}

/** Finds a model by its whole name, or by a part that only one has. */
function find(models: readonly string[], typed: string): string | undefined {
  const wanted = typed.toLowerCase()
  const whole = models.find((name) => name.toLowerCase() === wanted)
  const parts = models.filter((name) => name.toLowerCase().includes(wanted))
  return whole ?? (parts.length === 1 ? parts[0] : undefined)
}
