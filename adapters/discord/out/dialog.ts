import { ComponentType, TextInputStyle } from 'discord.js'
import type { Action } from '../../../src/bridge/port/message.ts'
import { messageLimits } from '../config.ts'

type Prompt = NonNullable<Action['prompt']>

/** What a pressed button asks for. Both texts may be missing: then the words of the button stand in. */
export interface Asked {
  readonly prefill: boolean
  readonly title?: string
  readonly label?: string
}

const field = 'text'
/** Before an action's name: the button asks for a text; `!`: and the field begins with the message. */
const marks = { plain: '?', prefilled: '!' } as const
/** No text of ours holds it. */
const between = '\u001F'

const textLength = 4000
const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`

/**
 * Discord gives a button 100 characters for all that is to be known when it is pressed, maybe after a restart. The title and
 * the label of its dialog travel along where there is room.
 */
export function packPrompt(custom: string, { title, label, prefill }: Prompt): string {
  const bare = `${prefill === undefined ? marks.plain : marks.prefilled}${custom}`
  const whole = [bare, title, label].join(between)
  return whole.length <= messageLimits.customId ? whole : bare
}

export function unpackPrompt(custom: string): { readonly custom: string; readonly asked?: Asked } {
  const prefill = custom.startsWith(marks.prefilled)
  if (!prefill && !custom.startsWith(marks.plain)) return { custom }
  const [bare = '', title, label] = custom.slice(1).split(between)
  const words = title === undefined || label === undefined ? {} : { title, label }
  return { custom: bare, asked: { prefill, ...words } }
}

/**
 * The text of a message of ours, without who was called and without the lines of references.
 * What was put into it to keep words from calling anybody is taken out again.
 */
export function ownText(content: string): string {
  return content
    .replace(/^(?:<@\d+> ?)+\n/, '')
    .replace(/(?:\n-# [^\n]*)+$/, '')
    .replaceAll('\u200B', '')
    .trim()
}

/** https://discord.com/developers/docs/components/reference#text-input */
export function toModal(
  custom: string,
  asked: Asked,
  pressed: { readonly label: string; readonly content: string },
) {
  const value = asked.prefill ? cut(ownText(pressed.content), textLength) : ''
  return {
    custom_id: custom,
    title: cut(asked.title ?? pressed.label, messageLimits.modal),
    components: [
      {
        type: ComponentType.Label,
        label: cut(asked.label ?? pressed.label, messageLimits.modal),
        component: {
          type: ComponentType.TextInput,
          custom_id: field,
          style: TextInputStyle.Paragraph,
          max_length: textLength,
          required: true,
          ...(value === '' ? {} : { value }),
        },
      },
    ],
  }
}

interface Typed {
  readonly custom_id?: string
  readonly value?: string
  readonly component?: Typed
  readonly components?: readonly Typed[]
}

/** What was typed, whether the field came under a label or in a row. */
export function readTyped(components: readonly object[]): string {
  for (const each of components as readonly Typed[]) {
    if (each.custom_id === field) return each.value ?? ''
    const inner = readTyped([...(each.component ? [each.component] : []), ...(each.components ?? [])])
    if (inner !== '') return inner
  }
  return ''
}
