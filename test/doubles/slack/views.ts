/** `views.open`: dialogs, with the limits of https://docs.slack.dev/reference/views/modal-views. */
import { checkBlocks } from './blocks.ts'
import type { Method } from './chat.ts'
import { type Limit, LIMITS } from './limits.ts'
import { isJson, Refusal, str, type Json } from './types.ts'

/** https://docs.slack.dev/interactivity: "trigger_id … expires in three seconds". */
const TRIGGER_MS = 3_000

const viewFields = new Set([
  'type',
  'title',
  'blocks',
  'submit',
  'close',
  'callback_id',
  'private_metadata',
  'clear_on_close',
  'notify_on_close',
  'external_id',
])
const inputFields = new Set([
  'type',
  'action_id',
  'multiline',
  'initial_value',
  'min_length',
  'max_length',
  'placeholder',
  'focus_on_load',
  'dispatch_action_config',
])

function refuse(why: string): never {
  throw new Refusal('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${why}`] } })
}

function within(value: unknown, what: Limit) {
  const length = str(value)?.length ?? 0
  if (length < 1 || length > LIMITS[what]) refuse(`${what} must be 1 to ${LIMITS[what]} characters, is ${length}`)
}

function checkPlain(value: unknown, what: Limit) {
  if (!isJson(value) || value['type'] !== 'plain_text') refuse(`${what} must be plain_text`)
  within(value['text'], what)
}

const atMost = (parts: readonly unknown[], what: Limit) => {
  if (parts.length < 1 || parts.length > LIMITS[what]) refuse(`${what} must be 1 to ${LIMITS[what]}`)
}

function checkSelect(element: Json) {
  const known = ['type', 'action_id', 'options', 'initial_option', 'placeholder', 'focus_on_load']
  for (const name of Object.keys(element)) if (!known.includes(name)) refuse(`unknown field ${name}`)
  const options = Array.isArray(element['options']) ? element['options'].filter(isJson) : []
  atMost(options, 'options of a select')
  for (const option of options) {
    checkPlain(option['text'], 'option text')
    within(option['value'], 'option value')
  }
  const initial = element['initial_option']
  if (initial !== undefined && !options.some((one) => JSON.stringify(one) === JSON.stringify(initial)))
    refuse('initial_option must be one of the options')
}

/** https://docs.slack.dev/reference/block-kit/block-elements/checkboxes-element */
function checkBoxes(element: Json) {
  const known = ['type', 'action_id', 'options', 'initial_options', 'focus_on_load']
  for (const name of Object.keys(element)) if (!known.includes(name)) refuse(`unknown field ${name}`)
  const options = Array.isArray(element['options']) ? element['options'].filter(isJson) : []
  if (options.length < 1 || options.length > 10) refuse('options of checkboxes must be 1 to 10')
  for (const option of options) {
    checkPlain(option['text'], 'option text')
    within(option['value'], 'option value')
  }
}

function checkInput(block: Json) {
  if (block['type'] !== 'input') return checkBlocks([block])
  checkPlain(block['label'], 'input label')
  if (block['hint'] !== undefined) checkPlain(block['hint'], 'input hint')
  within(block['block_id'], 'block_id')
  const element = isJson(block['element']) ? block['element'] : {}
  within(element['action_id'], 'action_id')
  if (element['placeholder'] !== undefined) checkPlain(element['placeholder'], 'placeholder')
  if (element['type'] === 'static_select') return checkSelect(element)
  if (element['type'] === 'checkboxes') return checkBoxes(element)
  if (element['type'] !== 'plain_text_input') refuse('the double knows text inputs, boxes and selects only')
  for (const name of Object.keys(element)) if (!inputFields.has(name)) refuse(`unknown field ${name}`)
  const most = Number(element['max_length'] ?? LIMITS['input max_length'])
  if (most < 1 || most > LIMITS['input max_length']) refuse('max_length must be 1 to 3000')
  if ((str(element['initial_value'])?.length ?? 0) > most) refuse('initial_value is over max_length')
}

/** Checks the parts of every view; returns its blocks. */
function checkFrame(view: Json): Json[] {
  for (const name of ['callback_id', 'private_metadata', 'external_id'] as const)
    if (view[name] !== undefined) within(view[name], name)
  const blocks = Array.isArray(view['blocks']) ? view['blocks'].filter(isJson) : []
  atMost(blocks, 'blocks of a view')
  return blocks
}

function checkView(view: unknown): Json {
  if (!isJson(view) || view['type'] !== 'modal') refuse('view must be a modal')
  for (const name of Object.keys(view)) if (!viewFields.has(name)) refuse(`unknown field ${name}`)
  checkPlain(view['title'], 'view title')
  const hasInput = Array.isArray(view['blocks']) && view['blocks'].some((one) => isJson(one) && one['type'] === 'input')
  if (hasInput || view['submit'] !== undefined) checkPlain(view['submit'], 'view submit')
  if (view['close'] !== undefined) checkPlain(view['close'], 'view close')
  checkFrame(view).forEach(checkInput)
  return view
}

/** https://docs.slack.dev/reference/views/home-tab-views */
function checkHome(view: unknown): Json {
  if (!isJson(view) || view['type'] !== 'home') refuse('view must be a home tab')
  for (const name of Object.keys(view))
    if (!['type', 'blocks', 'private_metadata', 'callback_id', 'external_id'].includes(name))
      refuse(`unknown field ${name}`)
  const blocks = checkFrame(view)
  if (blocks.some(({ type }) => type === 'markdown')) refuse('markdown is for messages')
  checkBlocks(blocks, 'blocks of a view')
  return view
}

export const viewMethods: Readonly<Record<string, Method>> = {
  'views.publish': (args, { workspace }) => {
    const user = str(args['user_id']) ?? ''
    if (!workspace.users.has(user)) throw new Refusal('invalid_user_id')
    const view = checkHome(args['view'])
    workspace.homes.set(user, view)
    return { view }
  },
  'views.update': (args, { workspace }) => {
    const id = str(args['view_id']) ?? ''
    const open = workspace.views.get(id)
    if (open === undefined) throw new Refusal('not_found')
    const view = checkView(args['view'])
    workspace.views.set(id, { user: open.user, view })
    return { view: { id, ...view } }
  },
  'views.open': (args, { workspace }) => {
    const trigger = workspace.triggers.get(str(args['trigger_id']) ?? '')
    if (trigger === undefined) throw new Refusal('invalid_trigger_id')
    if (Date.now() - trigger.at > TRIGGER_MS) throw new Refusal('expired_trigger_id')
    const view = checkView(args['view'])
    workspace.triggers.delete(str(args['trigger_id']) ?? '')
    const id = workspace.nextId('V')
    workspace.views.set(id, { user: trigger.user, view })
    return { view: { id, ...view } }
  },
}
