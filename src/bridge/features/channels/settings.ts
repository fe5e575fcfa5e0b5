import { ANSWERED_LANGUAGES } from '#lexicon/text-language.ts'
import { command } from '#lexicon/command.ts'
import { mayConfigure } from '#bridge/channels/authorize.ts'
import { administers } from '#bridge/channels/permissions.ts'
import { type ChannelSettings, personScope } from '#bridge/channels/settings.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { Role, WorkspaceKind } from '#bridge/port/adapter.ts'
import type { Form, FormField } from '#bridge/port/forms.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import { escapeName, languageName, languageNames, oneLine, shownChannel } from '#bridge/texts/formats.ts'
import { textsFor, type Texts } from '#bridge/texts/texts.ts'
import type { Feature, JobServices, Press } from '../feature.ts'
import { programsField, readPrograms } from './programs.ts'

/** Words of `settings …`, with the setting that each means. */
const WORDS = { answers: 'listens', language: 'language', files: 'drops', digest: 'digest' } as const
type Word = keyof typeof WORDS
type Chosen = Readonly<Record<string, string>>

/** Settings of a channel, in words and as a form; the language in which Footbridge speaks to a person. */
export const createSettingsFeature = (services: JobServices): Feature => ({
  commands: [
    {
      name: 'settings',
      pattern: command('settings', String.raw`(?:\s+((?:answers|language|files|digest)\s+\w{2,12}))?`),
      run: (ctx, argument) => (argument === '' ? show(services, ctx) : changeOne(services, ctx, argument)),
    },
    {
      name: 'language',
      pattern: command('language', String.raw`(?:\s+(${[...ANSWERED_LANGUAGES, 'auto'].join('|')}))?`),
      run: (ctx, argument) => tellLanguage(services, ctx, argument.toLowerCase()),
    },
  ],
  buttons: [
    { id: ACTION.settings, run: (ctx, press) => openForm(services, ctx, press) },
    { id: ACTION.saveSettings, run: (ctx, press) => save(services, ctx, press) },
    {
      id: ACTION.language,
      async run(ctx, { ticket }) {
        const { settings } = ctx.texts
        const chosen =
          (await services.store.preferences.get(personScope(ctx.conversation, ctx.author.id), 'language')) ?? 'auto'
        const fields = [choice('language', settings.field.language, languageOptions(ctx.texts), chosen)]
        const action = { id: ACTION.saveLanguage, value: '' }
        await ctx.adapter.showForm?.(ctx.conversation, ticket ?? '', {
          title: settings.yourTitle,
          submit: settings.save,
          fields,
          action,
        })
      },
    },
    {
      id: ACTION.saveLanguage,
      async run(ctx, { text }) {
        await setLanguage(services, ctx, valuesIn(text)['language'] ?? 'auto')
      },
    },
  ],
})

const choice = (id: string, label: string, labels: Readonly<Record<string, string>>, chosen: string): FormField => ({
  id,
  label,
  options: Object.entries(labels).map(([value, each]) => ({ value, label: each })),
  chosen: Object.hasOwn(labels, chosen) ? chosen : (Object.keys(labels)[0] ?? ''),
})

function valuesIn(json: string | undefined): Chosen {
  try {
    const parsed: unknown = JSON.parse(json ?? '{}')
    if (typeof parsed !== 'object' || parsed === null) return {}
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

const ROLE_FIELDS = ['dropRoles', 'forgetRoles', 'configureRoles'] as const

/** Kinds of people and roles that the chat service has. */
interface PeopleKinds {
  readonly people?: WorkspaceKind
  readonly roles?: readonly Role[]
}

const peopleKindsOf = async ({ adapter }: JobContext, channel: ConversationRef): Promise<PeopleKinds> => ({
  people: adapter.people?.workspaceKind,
  roles: await adapter.roles?.list(channel),
})

/** The form's fields but the model, as they are now. */
function fieldsOf(
  now: ChannelSettings,
  texts: Texts,
  { people = 'company', roles }: PeopleKinds = {},
): readonly FormField[] {
  const { field, value } = texts.settings
  const isKnown = (id: string) => roles?.some((role) => role.id === id) === true
  const roleFields = ROLE_FIELDS.map((id) => ({
    id,
    label: field[id],
    options: [],
    chosen: '',
    roles: (now[id] ?? []).filter(isKnown),
  }))
  return [
    choice('listens', field.listens, value.listens, now.listens ?? 'usual'),
    choice('language', field.language, languageOptions(texts), now.language ?? 'auto'),
    choice('drops', field.drops, value.drops, now.drops ?? 'everybody'),
    choice('digest', field.digest, value.digest, now.digest === true ? 'on' : 'off'),
    choice('guest', field.guest[people], value.access, now.guest ?? 'nothing'),
    ...(people === 'company' ? [choice('external', field.external, value.access, now.external ?? 'nothing')] : []),
    programsField(now, field.programs, texts.channels.oneProgram),
    ...(roles === undefined ? [] : roleFields),
  ]
}

const labelOf = ({ options, chosen }: FormField) => options.find(({ value }) => value === chosen)?.label ?? chosen

/** Lines in words; roles only where some are chosen. */
const linesOf = (
  fields: readonly FormField[],
  { settings }: Texts,
  known: PeopleKinds['roles'] = [],
): readonly string[] =>
  fields.flatMap((field) => {
    if (field.text !== undefined) return field.text === '' ? [] : [`- ${field.label}: **${escapeName(field.text)}**`]
    const names = field.roles?.map((id) => escapeName(known.find((role) => role.id === id)?.name ?? id))
    if (names === undefined) return [`- ${field.label}: **${labelOf(field)}**`]
    return names.length === 0 ? [] : [`- ${field.label}: **${names.join(', ')}** ${settings.andAdmins}`]
  })

async function show(services: JobServices, ctx: JobContext): Promise<void> {
  const { conversation, adapter, texts } = ctx
  if (conversation.direct) return ctx.reply(texts.settings.direct)
  const kinds = await peopleKindsOf(ctx, conversation)
  const fields = fieldsOf(await services.settings.of(conversation), texts, kinds)
  const now = texts.settings.now(linesOf(fields, texts, kinds.roles))
  const text = adapter.limits.onlyAddressed === true ? `${now}\n\n${texts.settings.onlyAddressed}` : now
  const { change: label } = texts.settings
  const action = { id: ACTION.settings, label, value: channelKey(conversation), form: true } as const
  await ctx.reply(text, { actions: adapter.showForm === undefined ? [] : [action] })
}

async function changeOne(services: JobServices, ctx: JobContext, argument: string): Promise<void> {
  const { conversation, texts } = ctx
  const [word = '', value = ''] = argument.toLowerCase().split(/\s+/)
  if (conversation.direct) return ctx.reply(texts.settings.direct)
  if (!(await mayConfigure(services, ctx, conversation))) return ctx.whisper(texts.channels.adminsOnly)
  const name = WORDS[word as Word]
  const field = fieldsOf({}, texts).find(({ id }) => id === name)
  if (field?.options.some((option) => option.value === value) !== true) return ctx.reply(texts.settings.unknown)
  await services.settings.change(conversation, toSettings({ [name]: value }))
  await ctx.reply(`${field.label}: **${labelOf({ ...field, chosen: value })}**`)
}

/** Values of a form as settings; others are ignored. */
function toSettings(chosen: Chosen): ChannelSettings {
  const known = Object.fromEntries(
    fieldsOf({}, textsFor('en')).flatMap(({ id, options }) => {
      const value = chosen[id]
      return options.some((option) => option.value === value) ? [[id, value] as const] : []
    }),
  )
  const { digest, language: spoken, ...others } = known
  return {
    ...(others as ChannelSettings),
    // Where every member may add files, no role is needed.
    ...(others['drops'] === 'everybody' ? { dropRoles: [] } : {}),
    ...(digest === undefined ? {} : { digest: digest === 'on' }),
    ...(spoken === undefined ? {} : { language: spoken === 'auto' ? undefined : spoken }),
  }
}

/** Roles of a form that the service knows. */
function toRoles(chosen: Chosen, known: PeopleKinds['roles'] = []): ChannelSettings {
  const ids = new Set(known.map(({ id }) => id))
  const roles = ROLE_FIELDS.flatMap((id) => {
    const value = chosen[id]
    return value === undefined ? [] : [[id, value.split(' ').filter((role) => ids.has(role))] as const]
  })
  const { dropRoles = [], ...others }: ChannelSettings = Object.fromEntries(roles)
  // Once roles are chosen, only they and administrators may add files.
  return dropRoles.length === 0 ? Object.fromEntries(roles) : { ...others, dropRoles, drops: 'admins' }
}

/** The channel of a form's button, if this person may change its settings. */
async function channelOf(services: JobServices, ctx: JobContext, key: string): Promise<ConversationRef | undefined> {
  const known = (await services.store.channels.get(key))?.conversation
  const here = channelKey(ctx.conversation) === key ? { ...ctx.conversation, thread: undefined } : known
  const isSame = here?.adapter === ctx.conversation.adapter && here.workspace === ctx.conversation.workspace
  if (here === undefined || !isSame || here.direct) return undefined
  return (await mayConfigure(services, ctx, here)) ? here : undefined
}

async function openForm(services: JobServices, ctx: JobContext, { ticket, value }: Press): Promise<void> {
  const { adapter, texts, signal, conversation } = ctx
  const channel = await channelOf(services, ctx, value)
  const { settings } = texts
  if (channel === undefined) {
    const form = {
      title: settings.title,
      submit: settings.save,
      fields: [],
      action: { id: ACTION.saveSettings, value },
    }
    return adapter.showForm?.(conversation, ticket ?? '', { ...form, note: texts.channels.adminsOnly })
  }
  const models = await services.models.list(signal)
  const labels = Object.fromEntries([
    ['', settings.usualModel],
    ...models.slice(0, MAX_MODELS).map((name) => [name, name]),
  ])
  const chosen = (await services.store.preferences.get(value, 'model')) ?? ''
  const model = choice('model', settings.field.model, labels, chosen)
  const own = fieldsOf(await services.settings.of(channel), texts, await peopleKindsOf(ctx, channel))
  const fields = [...own, ...(models.length > 1 ? [model] : [])]
  const form: Form = {
    title: settings.title,
    submit: settings.save,
    fields,
    action: { id: ACTION.saveSettings, value },
  }
  await adapter.showForm?.(conversation, ticket ?? '', form)
}

const MAX_MODELS = 99

async function save(services: JobServices, ctx: JobContext, { value, text }: Press): Promise<void> {
  const { texts, adapter, signal } = ctx
  const channel = await channelOf(services, ctx, value)
  if (channel === undefined) return ctx.whisper(texts.channels.adminsOnly)
  const chosen = valuesIn(text)
  const [facts, kinds] = await Promise.all([adapter.describeChannel(channel), peopleKindsOf(ctx, channel)])
  // Only administrators choose the roles that may configure.
  if ('configureRoles' in chosen && !(await administers(services, ctx, channel, ctx.author.id)))
    return ctx.whisper(texts.channels.adminsOnly)
  const before = await services.settings.of(channel)
  const { programs: typed = programsField(before, '').text ?? '' } = chosen
  const { changes: programs, unclear } = readPrograms(typed, before)
  await services.settings.change(channel, { ...toSettings(chosen), ...toRoles(chosen, kinds.roles), programs })
  const { model } = chosen
  if (model === '' || (model !== undefined && (await services.models.list(signal)).includes(model)))
    await services.models.choose(value, model === '' ? undefined : model)
  const now = fieldsOf(await services.settings.of(channel), texts, kinds)
  const changed = Object.keys(chosen).some((id) => ROLE_FIELDS.some((field) => field === id))
    ? now.filter(({ id, roles }) => id === 'drops' || roles !== undefined)
    : []
  const said = texts.settings.saved(facts === undefined ? '#…' : shownChannel(facts))
  const missing = unclear.length === 0 ? [] : [texts.settings.unclearPrograms(escapeName(oneLine(unclear.join(', '))))]
  await ctx.whisper([said, ...missing, ...linesOf(changed, texts, kinds.roles)].join('\n'))
}

async function tellLanguage(services: JobServices, ctx: JobContext, wanted: string): Promise<void> {
  if (wanted !== '') return setLanguage(services, ctx, wanted)
  const { settings } = ctx.texts
  const chosen = await services.store.preferences.get(personScope(ctx.conversation, ctx.author.id), 'language')
  await ctx.reply(settings.languageNow(nameOf(chosen ?? 'auto', ctx)))
}

async function setLanguage(services: JobServices, ctx: JobContext, wanted: string): Promise<void> {
  const value = ANSWERED_LANGUAGES.find((code) => code === wanted)
  await services.store.preferences.set(personScope(ctx.conversation, ctx.author.id), 'language', value)
  const texts = value === undefined ? ctx.texts : textsFor(value)
  await ctx.whisper(texts.settings.languageSet(nameOf(value ?? 'auto', { ...ctx, texts })))
}

/** The name of a language in the language that is spoken. */
const nameOf = (language: string, { texts, author }: Pick<JobContext, 'texts' | 'author'>): string =>
  languageName(language === 'auto' ? author.language : language, texts.language)

const languageOptions = ({ language, settings }: Texts): Readonly<Record<string, string>> => ({
  ...settings.value.language,
  ...languageNames(language),
})
