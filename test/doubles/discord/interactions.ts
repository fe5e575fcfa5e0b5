import { type CommandBook, createCommandBook } from './commands.ts'
import type { Gateway } from './gateway.ts'
import type { Messages } from './messages.ts'
import { checkModal, type Modal } from './modals.ts'
import { channelPayload, type Json, memberPayload, type Payloads } from './payloads.ts'
import type { SaidFile } from './people.ts'
import { channelTypes, type DoubleFile, type DoubleInteraction, type DoubleMessage, type DoubleUser } from './types.ts'
import { flatten, invalidForm, type Part, refuse, type RouteAnswer } from './validate.ts'
import type { World } from './world.ts'

export interface PressedButton {
  readonly interactionId: string
  /** True once the press was acknowledged, false when Discord's 3 seconds ran out. */
  readonly acknowledged: Promise<boolean>
  /** The dialog that it opened, if it opened one. */
  readonly modal: () => Modal | undefined
  /** The completions that it was answered with. */
  readonly choices: () => readonly Choice[] | undefined
}

export interface Choice {
  readonly name: string
  readonly value: string
}

/** A command as somebody calls it. */
export interface Called {
  readonly user?: string
  /** Default: the first channel. */
  readonly channel?: string
  readonly options?: Readonly<Record<string, string | number | boolean>>
  /** Id of the message on which it is called. */
  readonly target?: string
  /** Files as values of options. */
  readonly files?: Readonly<Record<string, SaidFile>>
}

/** Things that people press, what the bot may answer to them, and for how long. */
export interface Interactions {
  readonly press: (messageId: string, label: string, user?: string) => PressedButton
  /** Chooses from a menu; with `roles` these, under the words `label`. */
  readonly choose: (messageId: string, label: string, user?: string, roles?: readonly string[]) => PressedButton
  readonly submit: (press: PressedButton, text: string, ticked?: readonly string[]) => PressedButton
  /** Sends the dialog that a command opened, with these files. */
  readonly submitFiles: (press: PressedButton, files: readonly SaidFile[]) => PressedButton
  readonly call: (name: string, called?: Called) => PressedButton
  /** Somebody types the value of an option. */
  readonly complete: (name: string, option: string, typed: string, called?: Called) => PressedButton
  readonly age: (ms: number) => void
  /** The commands as they are registered. */
  readonly commands: CommandBook
  /** The first answer to an interaction. */
  original(token: string): RouteAnswer
  answer(token: string, body: Json): RouteAnswer
  follow(token: string, body: Json): RouteAnswer
  change(token: string, message: string, body: Json): RouteAnswer
  remove(token: string, message: string): RouteAnswer
}

const ACK_WITHIN_MS = 3000
const TOKEN_MS = 15 * 60_000
const ephemeral = 1 << 6
const loading = 1 << 7
const types = { command: 2, component: 3, completion: 4, modalSubmit: 5 }
const answers = { deferred: 5, deferredUpdate: 6, choices: 8, modal: 9 }

const unknownInteraction = refuse(404, 10062, 'Unknown interaction')
const unknownWebhook = refuse(404, 10015, 'Unknown Webhook')
const expired = refuse(401, 50027, 'Invalid Webhook Token')
const answeredBefore = refuse(400, 40060, 'Interaction has already been acknowledged.')

interface InteractionParts {
  readonly world: World
  readonly gateway: Gateway
  readonly messages: Messages
  readonly payloads: Payloads
  readonly locale: string
  /** Keeps a file that somebody hands over. */
  readonly host: (channelId: string, file: SaidFile) => DoubleFile
  readonly payloadOf: (file: DoubleFile) => Json
  readonly defaultChannel: () => string
}

const isChoice = (text: unknown) => typeof text === 'string' && text.length >= 1 && text.length <= 100

const originalOf = (known: DoubleInteraction) =>
  known.answered === answers.deferredUpdate ? known.messageId : (known.original ?? '')

export function createInteractions(parts: InteractionParts): Interactions {
  const { world, gateway, messages, payloads, locale } = parts
  const commands = createCommandBook(world)
  const waiting = new Map<string, () => void>()
  const byId = new Map<string, DoubleInteraction>()
  let aged = 0
  const ageOf = ({ at }: DoubleInteraction) => Date.now() + aged - at

  function tell(
    type: number,
    place: Pick<DoubleMessage, 'channelId'> & { readonly message?: DoubleMessage },
    user: DoubleUser,
    data: Json,
  ): PressedButton {
    const { message } = place
    const id = world.nextId()
    const token = `interaction-${id}`
    const channel = world.channel(place.channelId)
    const made: DoubleInteraction = {
      id,
      token,
      channelId: channel.id,
      user,
      messageId: message?.id ?? '',
      ...(type === types.command ? { command: String(data['name']) } : {}),
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
    // Discord names the person also when they left a moment ago.
    const member = { user, roles: [], ...memberPayload(world, user), permissions: '0' }
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
        ...(message === undefined ? {} : { message: payloads.message(message) }),
        data,
        locale,
        entitlements: [],
        context: direct ? 1 : 0,
        // In a server without the bot, the person's own installation counts.
        authorizing_integration_owners: channel.guildId === undefined ? { 0: world.guildId } : { 1: user.id },
        attachment_size_limit: 10_485_760,
        ...(direct ? { user } : { guild_id: channel.guildId ?? world.guildId, guild_locale: 'en-US', member }),
      },
      0,
    )
    return {
      interactionId: id,
      acknowledged,
      modal: () => made.modal as Modal | undefined,
      choices: () => made.choices,
    }
  }

  /** The interaction of this token, if it may still be answered. */
  function live(token: string): DoubleInteraction | RouteAnswer {
    const known = world.interactions.get(token)
    if (known === undefined) return unknownWebhook
    if (ageOf(known) > TOKEN_MS) return expired
    return known.answered === answers.deferredUpdate || known.answered === answers.deferred ? known : unknownWebhook
  }

  function whispered(token: string, id: string): DoubleMessage | RouteAnswer {
    const known = live(token)
    if ('status' in known) return known
    const message = world.message(id === '@original' ? originalOf(known) : id)
    const isTheirs = message?.only === known.user.id || message?.ofInteraction === token
    return message !== undefined && isTheirs ? message : refuse(404, 10008, 'Unknown Message')
  }

  /** Files that came with an interaction, as its resolved data has them. */
  const attachmentsOf = (channelId: string, files: readonly SaidFile[]) => ({
    attachments: Object.fromEntries(
      files.map((file) => {
        const hosted = parts.host(channelId, file)
        return [hosted.id, { ...parts.payloadOf(hosted), ephemeral: true }]
      }),
    ),
  })

  /** The message that shows "… is thinking" until it is filled. */
  function defer(known: DoubleInteraction, data: Json | undefined): void {
    const flags = Number(data?.['flags'] ?? 0)
    const { id } = messages.add({
      channelId: known.channelId,
      author: world.bot,
      content: '',
      flags: flags | loading,
      type: 20,
      ofInteraction: known.token,
      ...(known.command === undefined ? {} : { command: known.command, calledBy: known.user.global_name }),
      ...((flags & ephemeral) === 0 ? {} : { only: known.user.id }),
    })
    known.original = id
  }

  return {
    press(messageId, label, userName = 'ana') {
      const message = world.message(messageId)
      const button = flatten(message?.components).find((candidate) => candidate.label === label)
      if (message === undefined || button === undefined) {
        throw new Error(`There is no button "${label}" under message ${messageId}.`)
      }
      const data = { component_type: 2, custom_id: button.custom_id }
      return tell(types.component, { channelId: message.channelId, message }, world.user(userName), data)
    },
    choose(messageId, label, userName = 'ana', roles) {
      const message = world.message(messageId)
      const shown = flatten(message?.components)
      const words = shown.findIndex(({ content }) => content === label)
      const has = (part: Part, index: number) =>
        roles === undefined ? part.options?.some((option) => option.label === label) : part.type === 6 && index > words
      const menu = shown.find(has)
      const values = roles ?? menu?.options?.flatMap((each) => (each.label === label ? [each.value] : []))
      if (message === undefined || menu === undefined || values === undefined || (roles && words < 0))
        throw new Error(`There is no choice "${label}" under message ${messageId}.`)
      const data = { component_type: menu.type, custom_id: menu.custom_id, values }
      return tell(types.component, { channelId: message.channelId, message }, world.user(userName), data)
    },
    submit(press, text, ticked = []) {
      const opened = byId.get(press.interactionId)
      const modal = press.modal()
      const message = opened && world.message(opened.messageId)
      if (modal === undefined || opened === undefined || message === undefined) {
        throw new Error('This press opened no dialog.')
      }
      if (text === '' && modal.components.some(({ component }) => component.required !== false))
        throw new Error('Discord asks to fill in this field.')
      return tell(types.modalSubmit, { channelId: message.channelId, message }, opened.user, {
        custom_id: modal.custom_id,
        components: modal.components.map(({ component: { type, custom_id, options = [] } }) => ({
          type: 18,
          component:
            type === 22
              ? { type, custom_id, values: options.map(({ value }) => value).filter((value) => ticked.includes(value)) }
              : { type: 4, custom_id, value: text },
        })),
      })
    },
    submitFiles(press, files) {
      const opened = byId.get(press.interactionId)
      const modal = press.modal()
      const field = modal?.components.find(({ component }) => component.type === 19)?.component
      if (modal === undefined || opened === undefined || field === undefined)
        throw new Error('This press opened no dialog for files.')
      if (files.length < 1 || files.length > (field.max_values ?? 1))
        throw new Error('Discord does not take this number of files.')
      const resolved = attachmentsOf(opened.channelId, files)
      const component = { type: 19, custom_id: field.custom_id, values: Object.keys(resolved.attachments) }
      return tell(types.modalSubmit, { channelId: opened.channelId }, opened.user, {
        custom_id: modal.custom_id,
        components: [{ type: 18, component }],
        resolved,
      })
    },
    call(name, { user = 'ana', channel, options: typed = {}, target, files = {} } = {}) {
      const message = target === undefined ? undefined : world.message(target)
      const channelId = message?.channelId ?? channel ?? parts.defaultChannel()
      const handed = Object.entries(files).map(([option, file]) => [option, attachmentsOf(channelId, [file])] as const)
      const ids = handed.map(([option, { attachments }]) => [option, Object.keys(attachments)[0] ?? ''])
      const options = { ...typed, ...Object.fromEntries(ids) }
      const resolved = message
        ? { messages: { [message.id]: payloads.message(message) } }
        : handed.length > 0 && { attachments: Object.assign({}, ...handed.map(([, { attachments }]) => attachments)) }
      const data = commands.called(name, world.channel(channelId), options, target)
      return tell(types.command, { channelId }, world.user(user), { ...data, ...(resolved && { resolved }) })
    },
    complete(name, option, typed, { user = 'ana', channel = parts.defaultChannel() } = {}) {
      const data = commands.completing(name, world.channel(channel), option, typed)
      return tell(types.completion, { channelId: channel }, world.user(user), data)
    },
    commands,
    original(token) {
      const message = whispered(token, '@original')
      return 'status' in message ? message : { status: 200, body: payloads.message(message) }
    },
    age: (ms) => void (aged += ms),
    answer(token, body) {
      const known = world.interactions.get(token)
      const settle = waiting.get(token)
      if (known?.answered !== undefined && ageOf(known) <= TOKEN_MS) return answeredBefore
      if (known === undefined || settle === undefined || ageOf(known) > ACK_WITHIN_MS) return unknownInteraction
      const type = Number(body['type'])
      if (!Object.values(answers).includes(type))
        return invalidForm('type', 'BASE_TYPE_CHOICES', 'The double takes 5, 6, 8 and 9.')
      if (type === answers.deferred) defer(known, body['data'] as Json | undefined)
      if (type === answers.choices) {
        const { choices } = body['data'] as { readonly choices: readonly Choice[] }
        const isFine = choices.length <= 25 && choices.every(({ name, value }) => isChoice(name) && isChoice(value))
        if (!isFine) return invalidForm('data.choices', 'BASE_TYPE_BAD_LENGTH', 'At most 25, of 1 to 100 characters.')
        known.choices = choices
      }
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
      return messages.create(world.channel(known.channelId), body, [], only, token)
    },
    change(token, id, body) {
      const message = whispered(token, id)
      if ('status' in message) return message
      const edited = messages.edit(message, body)
      if (edited.status === 200) message.flags &= ~loading
      return edited.status === 200 ? { status: 200, body: payloads.message(message) } : edited
    },
    remove(token, id) {
      const message = whispered(token, id)
      if ('status' in message) return message
      world.channel(message.channelId).messages.delete(message.id)
      return { status: 204 }
    },
  }
}
