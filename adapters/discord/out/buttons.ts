import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
} from 'discord.js'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { Action } from '../../../src/bridge/port/message.ts'
import { messageLimits } from '../config.ts'
import { packPrompt } from './dialog.ts'

export type ButtonRow = APIActionRowComponent<APIButtonComponentWithCustomId>

/** Rows of five; what the bridge wants to hear back travels in the button's own id. */
export function toRows(actions: readonly Action[] = []): ButtonRow[] {
  if (actions.length > messageLimits.rows * messageLimits.buttonsPerRow) {
    throw new AdapterError(
      'invalid',
      `Discord shows at most 25 buttons under a message, not ${actions.length}.`,
    )
  }
  const rows: ButtonRow[] = []
  for (let start = 0; start < actions.length; start += messageLimits.buttonsPerRow) {
    const components = actions.slice(start, start + messageLimits.buttonsPerRow).map(toButton)
    rows.push({ type: ComponentType.ActionRow, components })
  }
  return rows
}

const styles = {
  danger: ButtonStyle.Danger,
  primary: ButtonStyle.Primary,
  plain: ButtonStyle.Secondary,
} as const

function toButton(action: Action): APIButtonComponentWithCustomId {
  const bare = `${action.id}:${action.value}`
  const customId = action.prompt === undefined ? bare : packPrompt(bare, action.prompt)
  if (customId.length > messageLimits.customId) {
    throw new AdapterError(
      'invalid',
      `The button "${action.label}" carries more than the 100 characters of Discord.`,
    )
  }
  return {
    type: ComponentType.Button,
    style: styles[action.style ?? 'plain'],
    label: shortLabel(action.label),
    custom_id: customId,
  }
}

const shortLabel = (label: string) =>
  label.length <= messageLimits.label ? label : `${label.slice(0, messageLimits.label - 1)}…`

/** Undefined: not one of our buttons. */
export function readCustomId(customId: string): { readonly id: string; readonly value: string } | undefined {
  const colon = customId.indexOf(':')
  if (colon <= 0) return undefined
  return { id: customId.slice(0, colon), value: customId.slice(colon + 1) }
}
