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
  /** The dialog that this person sees. */
  dialog(user: string): { readonly id: string; readonly view: Json } | undefined
  /** Fills in the one field of it and sends it off. */
  submitDialog(user: string, text: string): Envelope
}

export function createPresses(workspace: Workspace, sockets: SocketSide): Presses {
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
  const responseUrl = (channel: string, user: string): string => {
    const id = workspace.nextId('response')
    workspace.responses.set(id, { channel, user, left: 5 })
    return workspace.responseUrl(id)
  }

  return {
    dialog,
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
        // What only one person sees comes without its text.
        ...(ephemeral ? {} : { message: toWire(workspace, message, false) }),
        trigger_id: trigger(input.user),
        ...(ephemeral ? { response_url: responseUrl(input.channel, input.user) } : {}),
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
    submitDialog(user, text) {
      const open = dialog(user)
      if (open === undefined) throw new Error(`${user} sees no dialog`)
      workspace.views.delete(open.id)
      const blocks = Array.isArray(open.view['blocks']) ? open.view['blocks'].filter(isJson) : []
      const values = blocks.map((block) => {
        const element = isJson(block['element']) ? block['element'] : {}
        const typed = { type: 'plain_text_input', value: text }
        return [String(block['block_id']), { [String(element['action_id'])]: typed }]
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
