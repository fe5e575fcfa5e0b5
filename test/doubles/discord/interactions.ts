import type { Gateway } from './gateway.ts'
import type { Messages } from './messages.ts'
import { checkModal, type Modal } from './modals.ts'
import { channelPayload, type Json, memberPayload, type Payloads } from './payloads.ts'
import { channelTypes, type DoubleInteraction, type DoubleMessage, type DoubleUser } from './types.ts'
import { invalidForm, refuse, type RouteAnswer } from './validate.ts'
import type { World } from './world.ts'

export interface PressedButton {
  readonly interactionId: string
  /** True once the press was acknowledged, false when Discord's 3 seconds ran out. */
  readonly acknowledged: Promise<boolean>
  /** The dialog that it opened, if it opened one. */
  readonly modal: () => Modal | undefined
}

/** Things that people press, what the bot may answer to them, and for how long. */
export interface Interactions {
  readonly press: (messageId: string, label: string, user?: string) => PressedButton
  readonly submit: (press: PressedButton, text: string) => PressedButton
  readonly age: (ms: number) => void
  answer(token: string, body: Json): RouteAnswer
  follow(token: string, body: Json): RouteAnswer
  change(token: string, message: string, body: Json): RouteAnswer
  remove(token: string, message: string): RouteAnswer
}

const ACK_WITHIN_MS = 3000
const TOKEN_MS = 15 * 60_000
const ephemeral = 1 << 6
const types = { component: 3, modalSubmit: 5 }
const answers = { deferredUpdate: 6, modal: 9 }

const unknownInteraction = refuse(404, 10062, 'Unknown interaction')
const unknownWebhook = refuse(404, 10015, 'Unknown Webhook')
const expired = refuse(401, 50027, 'Invalid Webhook Token')

interface InteractionParts {
  readonly world: World
  readonly gateway: Gateway
  readonly messages: Messages
  readonly payloads: Payloads
  readonly locale: string
}

export function createInteractions({ world, gateway, messages, payloads, locale }: InteractionParts): Interactions {
  const waiting = new Map<string, () => void>()
  const byId = new Map<string, DoubleInteraction>()
  let aged = 0
  const ageOf = ({ at }: DoubleInteraction) => Date.now() + aged - at

  function tell(type: number, message: DoubleMessage, user: DoubleUser, data: Json): PressedButton {
    const id = world.nextId()
    const token = `interaction-${id}`
    const channel = world.channel(message.channelId)
    const made: DoubleInteraction = {
      id,
      token,
      channelId: channel.id,
      user,
      messageId: message.id,
      at: Date.now() + aged,
    }
    world.interactions.set(token, made)
    byId.set(id, made)
    const acknowledged = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(!waiting.delete(token)), ACK_WITHIN_MS)
      waiting.set(token, () => {
        clearTimeout(timer)
        resolve(true)
      })
    })
    const direct = channel.type === channelTypes.direct
    const member = { ...memberPayload(world, user), permissions: '0' }
    gateway.dispatch(
      'INTERACTION_CREATE',
      {
        id,
        application_id: world.bot.id,
        type,
        token,
        version: 1,
        channel_id: channel.id,
        channel: channelPayload(world, channel),
        message: payloads.message(message),
        data,
        locale,
        entitlements: [],
        context: direct ? 1 : 0,
        authorizing_integration_owners: { 0: world.guildId },
        attachment_size_limit: 10_485_760,
        ...(direct ? { user } : { guild_id: world.guildId, guild_locale: 'en-US', member }),
      },
      0,
    )
    return { interactionId: id, acknowledged, modal: () => made.modal as Modal | undefined }
  }

  /** What may still be said under this token. */
  function live(token: string): DoubleInteraction | RouteAnswer {
    const known = world.interactions.get(token)
    if (known === undefined) return unknownWebhook
    if (ageOf(known) > TOKEN_MS) return expired
    return known.answered === answers.deferredUpdate ? known : unknownWebhook
  }

  function whispered(token: string, id: string): DoubleMessage | RouteAnswer {
    const known = live(token)
    if ('status' in known) return known
    const message = world.message(id)
    return message?.only === known.user.id ? message : refuse(404, 10008, 'Unknown Message')
  }

  return {
    press(messageId, label, userName = 'ana') {
      const message = world.message(messageId)
      const button = message?.components.flatMap((row) => row.components).find((candidate) => candidate.label === label)
      if (message === undefined || button === undefined) {
        throw new Error(`There is no button "${label}" under message ${messageId}.`)
      }
      const data = { component_type: 2, custom_id: button.custom_id }
      return tell(types.component, message, world.user(userName), data)
    },
    submit(press, text) {
      const opened = byId.get(press.interactionId)
      const modal = press.modal()
      const message = opened && world.message(opened.messageId)
      if (modal === undefined || opened === undefined || message === undefined) {
        throw new Error('This press opened no dialog.')
      }
      return tell(types.modalSubmit, message, opened.user, {
        custom_id: modal.custom_id,
        components: modal.components.map(({ component }) => ({
          type: 18,
          component: { type: 4, custom_id: component.custom_id, value: text },
        })),
      })
    },
    age: (ms) => void (aged += ms),
    answer(token, body) {
      const known = world.interactions.get(token)
      const settle = waiting.get(token)
      if (known === undefined || settle === undefined) return unknownInteraction
      const type = Number(body['type'])
      if (type !== answers.deferredUpdate && type !== answers.modal)
        return invalidForm('type', 'BASE_TYPE_CHOICES', 'The double takes 6 and 9.')
      if (type === answers.modal) {
        const modal = checkModal(body['data'])
        if ('status' in modal) return modal
        known.modal = { ...modal }
      }
      known.answered = type
      waiting.delete(token)
      settle()
      return { status: 204 }
    },
    follow(token, body) {
      const known = live(token)
      if ('status' in known) return known
      const only = (Number(body['flags'] ?? 0) & ephemeral) === 0 ? undefined : known.user.id
      return messages.create(world.channel(known.channelId), body, [], only)
    },
    change(token, id, body) {
      const message = whispered(token, id)
      return 'status' in message ? message : messages.edit(message, body)
    },
    remove(token, id) {
      const message = whispered(token, id)
      if ('status' in message) return message
      world.channel(message.channelId).messages.delete(id)
      return { status: 204 }
    },
  }
}
