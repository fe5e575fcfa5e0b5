/** Buttons that people press, and the dialogs that open. */
import type { SocketSide } from './socket.ts'
import { isJson, type Envelope, type Json } from './types.ts'
import { toWire, type Workspace } from './workspace.ts'

export interface Presses {
  pressButton(input: {
    channel: string
    ts: string
    user: string
    actionId: string
    value: string
    label?: string
    block?: string
  }): Envelope
  /** Types the app's slash command. */
  command(input: { channel: string; user: string; text: string }): Envelope
  /** Chooses a shortcut of the app in the menu of a message. */
  shortcut(input: { channel: string; ts: string; user: string; callback: string }): Envelope
  openHome(user: string, tab?: 'home' | 'messages'): Envelope
  /** Opens a channel next to the agent tab. `around`: the event itself names neither person nor time. */
  lookAt(user: string, channel: string, around?: boolean): Envelope
  /** Presses a button in App Home. */
  pressHome(user: string, label: string): Envelope
  /** Chooses these values in the open dialog, by the ids of its fields, and sends it off. */
  submitForm(user: string, chosen: Readonly<Record<string, string>>): Envelope
  /** The dialog that this person sees. */
  dialog(user: string): { readonly id: string; readonly view: Json } | undefined
  /** Fills in the one field of it, ticks the boxes of these values, and sends it off. */
  submitDialog(user: string, text: string, ticked?: readonly string[]): Envelope
}

const typedField = (id: string, value: unknown): Json => ({ [id]: { type: 'plain_text_input', value: value ?? null } })

export function createPresses(
  workspace: Workspace,
  sockets: SocketSide,
  sendEvent: (event: Json, options?: { readonly user?: string }) => Envelope,
): Presses {
  const person = (user: string): Json => ({
    id: user,
    username: workspace.users.get(user)?.name ?? '',
    team_id: workspace.teamId,
  })
  const app = { team: { id: workspace.teamId, domain: 'home' }, api_app_id: workspace.appId, token: 'legacy' }

  const dialog: Presses['dialog'] = (user) => {
    for (const [id, open] of workspace.views) if (open.user === user) return { id, view: open.view }
    return undefined
  }

  const trigger = (user: string): string => {
    const id = workspace.nextId('trigger.')
    workspace.triggers.set(id, { user, at: Date.now() })
    return id
  }
  /** An address that shows what is posted to it: five times, within thirty minutes. */
  const responseUrl = (channel: string, user: string, ts?: string): string => {
    const id = workspace.nextId('response')
    workspace.responses.set(id, { channel, user, ts, left: 5 })
    return workspace.responseUrl(id)
  }

  return {
    dialog,
    openHome: (user, tab = 'home') =>
      sendEvent({ type: 'app_home_opened', user, channel: `D-${user}`, tab, event_ts: workspace.nextTs() }),
    lookAt(user, channel, around = false) {
      const entity = { type: 'slack#/types/channel_id', value: channel, team_id: workspace.teamId }
      const own = around ? {} : { user, channel: `D-${user}`, event_ts: workspace.nextTs() }
      const event = { type: 'app_context_changed', ...own, context: { entities: [entity] } }
      return sendEvent(event, around ? { user } : {})
    },
    pressHome(user, label) {
      const home = workspace.homes.get(user) ?? {}
      const blocks = Array.isArray(home['blocks']) ? home['blocks'].filter(isJson) : []
      const buttons: readonly Json[] = blocks.flatMap((block) =>
        (Array.isArray(block['elements']) ? block['elements'].filter(isJson) : []).map((one) => ({
          ...one,
          block_id: block['block_id'],
        })),
      )
      const button = buttons.find((one) => isJson(one['text']) && one['text']['text'] === label)
      if (button === undefined) throw new Error(`${user} sees no button ${label} at home`)
      return sockets.send('interactive', {
        ...app,
        type: 'block_actions',
        user: person(user),
        container: { type: 'view', view_id: 'V-home' },
        view: { id: 'V-home', ...home },
        trigger_id: trigger(user),
        actions: [{ ...button, action_ts: workspace.nextTs() }],
      })
    },
    submitForm(user, chosen) {
      const open = dialog(user)
      if (open === undefined) throw new Error(`${user} sees no dialog`)
      workspace.views.delete(open.id)
      const blocks = Array.isArray(open.view['blocks']) ? open.view['blocks'].filter(isJson) : []
      const values = blocks.flatMap((block): (readonly [string, Json])[] => {
        const element = isJson(block['element']) ? block['element'] : {}
        const options = Array.isArray(element['options']) ? element['options'].filter(isJson) : []
        const id = String(block['block_id'])
        if (element['type'] === 'plain_text_input')
          return [[id, typedField(id, chosen[id] ?? element['initial_value'])]]
        if (options.length === 0) return []
        const wanted = options.find((one) => isJson(one['text']) && one['text']['text'] === chosen[id])
        if (chosen[id] !== undefined && wanted === undefined) throw new Error(`${id} has no choice ${chosen[id]}`)
        const selected = wanted ?? element['initial_option'] ?? null
        return [[id, { [id]: { type: 'static_select', selected_option: selected } }]]
      })
      return sockets.send('interactive', {
        ...app,
        type: 'view_submission',
        user: person(user),
        view: { id: open.id, ...open.view, state: { values: Object.fromEntries(values) } },
        response_urls: [],
      })
    },
    command({ channel, user, text }) {
      return sockets.send('slash_commands', {
        ...app,
        command: '/footbridge',
        text,
        team_id: workspace.teamId,
        channel_id: channel,
        channel_name: workspace.channel(channel).name,
        user_id: user,
        user_name: workspace.users.get(user)?.name ?? '',
        is_enterprise_install: 'false',
        trigger_id: trigger(user),
        response_url: responseUrl(channel, user),
      })
    },
    shortcut({ channel, ts, user, callback }) {
      const message = workspace.message(channel, ts)
      if (message === undefined) throw new Error(`no message ${ts}`)
      return sockets.send('interactive', {
        ...app,
        type: 'message_action',
        callback_id: callback,
        user: person(user),
        channel: { id: channel, name: workspace.channel(channel).name },
        message_ts: ts,
        message: toWire(workspace, message, false),
        trigger_id: trigger(user),
        response_url: responseUrl(channel, user),
      })
    },
    pressButton(input) {
      const message = workspace.message(input.channel, input.ts)
      if (message === undefined) throw new Error(`no message ${input.ts}`)
      const thread = message.threadTs === undefined ? {} : { thread_ts: message.threadTs }
      const ephemeral = message.ephemeralTo !== undefined
      return sockets.send('interactive', {
        ...app,
        type: 'block_actions',
        user: person(input.user),
        container: {
          type: 'message',
          message_ts: message.ts,
          channel_id: message.channel,
          is_ephemeral: ephemeral,
          ...thread,
        },
        channel: { id: message.channel, name: 'channel' },
        // A message to one person comes without its text.
        ...(ephemeral ? {} : { message: toWire(workspace, message, false) }),
        trigger_id: trigger(input.user),
        ...(ephemeral ? { response_url: responseUrl(input.channel, input.user, message.ts) } : {}),
        actions: [
          {
            type: 'button',
            block_id: input.block ?? 'b1',
            action_id: input.actionId,
            value: input.value,
            action_ts: workspace.nextTs(),
            text: { type: 'plain_text', text: input.label ?? '' },
          },
        ],
      })
    },
    submitDialog(user, text, ticked = []) {
      const open = dialog(user)
      if (open === undefined) throw new Error(`${user} sees no dialog`)
      workspace.views.delete(open.id)
      const blocks = Array.isArray(open.view['blocks']) ? open.view['blocks'].filter(isJson) : []
      const values = blocks.map((block) => {
        const element = isJson(block['element']) ? block['element'] : {}
        if (text === '' && element['type'] === 'plain_text_input' && block['optional'] !== true)
          throw new Error('Slack asks to fill in this field.')
        const options = Array.isArray(element['options']) ? element['options'].filter(isJson) : []
        const boxes = options.filter(({ value }) => ticked.includes(String(value)))
        const state =
          element['type'] === 'checkboxes'
            ? { type: 'checkboxes', selected_options: boxes }
            : { type: 'plain_text_input', value: text === '' ? null : text }
        return [String(block['block_id']), { [String(element['action_id'])]: state }]
      })
      return sockets.send('interactive', {
        ...app,
        type: 'view_submission',
        user: person(user),
        trigger_id: workspace.nextId('trigger.'),
        view: { id: open.id, ...open.view, state: { values: Object.fromEntries(values) } },
        response_urls: [],
      })
    },
  }
}
