import { ApplicationCommandOptionType, ApplicationCommandType, ComponentType, Routes } from 'discord.js'
import type { CommandName } from '#bridge/port/message.ts'
import type { SuggestionRequest } from '#bridge/port/adapter.ts'
import type { Log } from '#bridge/port/platform.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { MESSAGE_LIMITS } from '../config.ts'
import type { Rest } from '../rest.ts'

/** English and German. */
type Words = readonly [english: string, german: string]

interface Option {
  readonly name: string
  readonly says: Words
  readonly type?: ApplicationCommandOptionType
  readonly required?: true
  /** Completed while somebody types. */
  readonly about?: SuggestionRequest['about']
  readonly choices?: readonly (readonly [value: string, ...Words])[]
}

interface Slash {
  readonly says: Words
  /** The first one is the argument of the command. */
  readonly options?: readonly Option[]
  /** It is about a server, so people can't take it along. */
  readonly guildOnly?: true
}

const MAX_QUESTION = 2000
const FILE: Option = { name: 'file', says: ['Name of the file', 'Name der Datei'], about: 'files' }

/** Slash commands, by the command of the bridge that they call. */
const SLASH: Readonly<Partial<Record<CommandName, Slash>>> = {
  ask: {
    says: ['Ask the files of this channel', 'Frag die Dateien dieses Kanals'],
    options: [
      { name: 'question', says: ['Your question', 'Deine Frage'], required: true },
      {
        name: 'share',
        says: ['Everybody here sees the answer', 'Alle hier sehen die Antwort'],
        type: ApplicationCommandOptionType.Boolean,
      },
    ],
  },
  add: {
    says: ['Add a file to this channel', 'Füg diesem Kanal eine Datei hinzu'],
    options: [
      {
        name: 'file',
        says: ['The file. Without one, a dialog takes up to ten.', 'Die Datei. Ohne sie nimmt ein Dialog bis zu zehn.'],
        type: ApplicationCommandOptionType.Attachment,
      },
    ],
  },
  files: {
    says: ['List the files of this channel', 'Zeig die Dateien dieses Kanals'],
    options: [
      { name: 'page', says: ['Page of the list', 'Seite der Liste'], type: ApplicationCommandOptionType.Integer },
    ],
  },
  forget: {
    says: ['Remove a file with all its versions', 'Entfern eine Datei mit allen Fassungen'],
    options: [{ ...FILE, required: true }],
  },
  retry: { says: ['Try failed files again', 'Versuch gescheiterte Dateien noch einmal'], options: [FILE] },
  collection: {
    says: ['Which files this channel uses', 'Welche Dateien dieser Kanal nutzt'],
    options: [
      {
        name: 'of',
        says: ['Use the files of this channel instead', 'Nutz stattdessen die Dateien dieses Kanals'],
        about: 'collections',
      },
    ],
    guildOnly: true,
  },
  model: {
    says: ['Which language model answers', 'Welches Sprachmodell antwortet'],
    options: [{ name: 'model', says: ['Name of the model', 'Name des Modells'], about: 'models' }],
  },
  usage: { says: ['How much is left of the budgets', 'Wie viel von den Kontingenten übrig ist'] },
  language: {
    says: ['The language in which Footbridge speaks to you', 'Die Sprache, in der Footbridge mit dir spricht'],
    options: [
      {
        name: 'language',
        says: ['Your language', 'Deine Sprache'],
        choices: [
          ['auto', 'As in Discord', 'Wie in Discord'],
          ['en', 'English', 'Englisch'],
          ['de', 'German', 'Deutsch'],
        ],
      },
    ],
  },
  settings: {
    says: ['Show or change the settings of this channel', 'Zeig oder ändere die Einstellungen dieses Kanals'],
    options: [
      {
        name: 'change',
        says: [
          'Setting to change; for those who manage the channel',
          'Einstellung, die sich ändern soll; für alle, die den Kanal verwalten',
        ],
        choices: [
          ['answers usual', 'Answer mentions and follow-ups', 'Erwähnungen und Nachfragen beantworten'],
          ['answers mentions', 'Answer mentions only', 'Nur Erwähnungen beantworten'],
          ['answers questions', 'Every question that the files answer', 'Jede Frage, die die Dateien beantworten'],
          ['answers threads', 'Answer inside threads only', 'Nur in Threads antworten'],
          ['language auto', 'Language of each person', 'Sprache jeder Person'],
          ['language en', 'Always English', 'Immer Englisch'],
          ['language de', 'Always German', 'Immer Deutsch'],
          ['files everybody', 'Every member may add files', 'Alle dürfen Dateien hinzufügen'],
          ['files admins', 'Only managers may add files', 'Nur Verwaltende dürfen Dateien hinzufügen'],
          ['digest on', 'A summary each week', 'Jede Woche ein Überblick'],
          ['digest off', 'No summary', 'Kein Überblick'],
        ],
      },
    ],
    guildOnly: true,
  },
  connect: {
    says: [
      'A token for a program that reads what you may read',
      'Ein Zugang für ein Programm, das liest, was du lesen darfst',
    ],
    options: [{ name: 'name', says: ['A name; “laptop here”: this channel', 'Ein Name; „laptop hier“: dieser Kanal'] }],
    guildOnly: true,
  },
  disconnect: {
    says: ['End a token', 'Einen Zugang beenden'],
    options: [{ name: 'name', says: ['Name of the token', 'Name des Zugangs'], required: true }],
    guildOnly: true,
  },
  help: { says: ['What Footbridge can do here', 'Was Footbridge hier kann'] },
}

/** Commands in the menu of a message. */
const ON_MESSAGE: readonly (readonly [command: CommandName, ...Words])[] = [
  ['ask', 'Ask about this', 'Dazu fragen'],
  ['save', 'Keep as knowledge', 'Als Wissen behalten'],
  ['forget', 'Forget', 'Vergessen'],
  ['translate', 'Translate', 'Übersetzen'],
]

const IN_GUILDS = { integration_types: [0], contexts: [0] }
/** People can install Footbridge for themselves, too: in servers without it, it asks their own files. */
const ANYWHERE = { integration_types: [0, 1], contexts: [0, 1, 2] }

function optionOf({ name, says: [english, german], type, required, about, choices }: Option) {
  return {
    type: type ?? ApplicationCommandOptionType.String,
    name,
    description: english,
    description_localizations: { de: german },
    ...(required && { required }),
    ...(about && { autocomplete: true }),
    ...(name === 'question' && { max_length: MAX_QUESTION }),
    ...(name === 'page' && { min_value: 1 }),
    ...(choices && {
      choices: choices.map(([value, word, wort]) => ({ name: word, value, name_localizations: { de: wort } })),
    }),
  }
}

/** All commands as Discord takes them. https://discord.com/developers/docs/interactions/application-commands */
export const COMMANDS: readonly Readonly<Record<string, unknown>>[] = [
  ...Object.entries(SLASH).map(([name, { says, options = [], guildOnly }]) => ({
    type: ApplicationCommandType.ChatInput,
    name,
    description: says[0],
    description_localizations: { de: says[1] },
    options: options.map(optionOf),
    ...(guildOnly ? IN_GUILDS : ANYWHERE),
  })),
  ...ON_MESSAGE.map(([, english, german]) => ({
    type: ApplicationCommandType.Message,
    name: english,
    name_localizations: { de: german },
    ...ANYWHERE,
  })),
]

/** The dialog of `/add` without a file. */
export function toFileDialog(locale: string) {
  const word = ([english, german]: Words) => (locale.startsWith('de') ? german : english)
  return {
    custom_id: FILE_DIALOG,
    title: word(['Add files', 'Dateien hinzufügen']),
    components: [
      {
        type: ComponentType.Label,
        label: word(['Files for this channel', 'Dateien für diesen Kanal']),
        component: { type: ComponentType.FileUpload, custom_id: 'files', max_values: MESSAGE_LIMITS.dialogFiles },
      },
    ],
  }
}

/** Custom id of that dialog; no button has one like it. */
export const FILE_DIALOG = '+add'

/** The command of the bridge for a slash command; undefined: not our command. */
export const slashOf = (name: string): CommandName | undefined =>
  Object.hasOwn(SLASH, name) ? (name as CommandName) : undefined

/** The same for a command in the menu of a message. */
export const menuOf = (name: string): CommandName | undefined => ON_MESSAGE.find(([, label]) => label === name)?.[0]

/** Undefined: this option is not completed. */
export const completedBy = (command: string, option: string): SuggestionRequest['about'] | undefined =>
  SLASH[command as CommandName]?.options?.find(({ name }) => name === option)?.about

/** The name of the option that is the argument. */
export const argumentOf = (command: string): string | undefined => SLASH[command as CommandName]?.options?.[0]?.name

/** Registers the commands if they differ from those that Discord has. A failure is logged: all else works without. */
export async function registerCommands(options: {
  readonly rest: Rest
  readonly log: Log
  readonly application: string
  /** Default: all guilds. */
  readonly guild?: string
}): Promise<void> {
  const { rest, log, application, guild } = options
  const route =
    guild === undefined ? Routes.applicationCommands(application) : Routes.applicationGuildCommands(application, guild)
  // A guild's own commands are there for everybody in it, and know no contexts.
  const wanted =
    guild === undefined
      ? COMMANDS
      : COMMANDS.map(({ integration_types: _types, contexts: _contexts, ...command }) => command)
  try {
    const query = { with_localizations: 'true' }
    const known = await rest.get<readonly Readonly<Record<string, unknown>>[]>(route, { query })
    if (isSame(known, wanted)) return
    const refused = await registerAll({ rest, log, route, wanted, known })
    log.info({ commands: wanted.length - refused, refused, guild }, 'Commands are registered with Discord')
  } catch (error) {
    log.warn({ err: error }, 'Commands could not be registered with Discord; the next start tries again')
  }
}

interface Registration {
  readonly rest: Rest
  readonly log: Log
  readonly route: `/${string}`
  readonly wanted: typeof COMMANDS
  readonly known: readonly Readonly<Record<string, unknown>>[]
}

/** Discord refuses a list for one command in it: the others are registered one by one then. Gives how many it refuses. */
async function registerAll({ rest, log, route, wanted, known }: Registration): Promise<number> {
  try {
    await rest.put(route, wanted)
    return 0
  } catch (error) {
    if (!hasCode(error, 'invalid')) throw error
  }
  let refused = 0
  for (const command of wanted) {
    if (isSame(known.filter(isNamedAs(command)), [command])) continue
    try {
      await rest.post(route, command)
    } catch (error) {
      if (!hasCode(error, 'invalid')) throw error
      refused += 1
      log.warn(
        { err: error, command: command['name'] },
        'Discord refuses a command; the others are registered. Update Footbridge',
      )
    }
  }
  return refused
}

const isNamedAs =
  (command: Readonly<Record<string, unknown>>) =>
  ({ name, type }: Readonly<Record<string, unknown>>) =>
    name === command['name'] && type === command['type']

/** Discord adds fields of its own, and leaves out empty ones: the fields that we set decide. */
function isSame(known: readonly Readonly<Record<string, unknown>>[], wanted: typeof COMMANDS): boolean {
  if (known.length !== wanted.length) return false
  return wanted.every((command) => {
    const twin = known.find(isNamedAs(command))
    return twin !== undefined && contains(twin, command)
  })
}

function contains(known: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    const all = Array.isArray(known) ? known : []
    return all.length === wanted.length && wanted.every((each, index) => contains(all[index], each))
  }
  if (typeof wanted !== 'object' || wanted === null) return known === wanted
  const fields = (typeof known === 'object' && known !== null ? known : {}) as Readonly<Record<string, unknown>>
  return Object.entries(wanted).every(([name, value]) => contains(fields[name], value))
}
