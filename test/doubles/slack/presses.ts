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

  return {
    dialog,
    pressButton(input) {
      const message = workspace.message(input.channel, input.ts)
      if (message === undefined) throw new Error(`no message ${input.ts}`)
      const thread = message.threadTs === undefined ? {} : { thread_ts: message.threadTs }
      const ephemeral = message.ephemeralTo !== undefined
      const trigger = workspace.nextId('trigger.')
      workspace.triggers.set(trigger, { user: input.user, at: Date.now() })
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
        trigger_id: trigger,
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
