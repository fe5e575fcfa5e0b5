import { z } from 'zod'
import { misspeltFor } from './start/misspelt.ts'

/** All faults of the settings together. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const text = z.string().trim().min(1)
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''))
const split = (value: string) => value.split(',').map((part) => part.trim())
const list = z.string().transform((value) => split(value).filter((part) => part !== ''))
const headers = list.refine((pairs) => pairs.every((pair) => /^[\w-]+=./.test(pair)))

interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema
  /** Describes a valid value, for the error about an invalid one. */
  readonly wants: string
  readonly example: string
}
const setting = <Schema extends z.ZodType>(schema: Schema, wants: string, example: string): Setting<Schema> => ({
  schema,
  wants,
  example,
})

/** `questions=40/hour, minutes=60/day`: see `BudgetRules` of the bridge. */
const budget = list
  .transform((parts, context) =>
    parts.flatMap((part) => {
      const [, kind, most, span] = /^(\w+)\s*=\s*(\d+(?:\.\d+)?)\s*\/\s*(\w+)$/.exec(part) ?? []
      const parsed = z
        .object({
          kind: z.enum(['questions', 'minutes', 'megabytes']),
          most: z.coerce.number().positive(),
          span: z.enum(['minute', 'hour', 'day', 'month']),
        })
        .safeParse({ kind, most, span })
      if (parsed.success) return [parsed.data]
      context.addIssue({ code: 'custom', message: 'is no budget' })
      return []
    }),
  )
  .default([])
const BUDGET =
  'a list: questions, minutes (of recordings) or megabytes, then =, a number, /, and minute, hour, day or month'
const ADDRESS = 'an address that begins with http:// or https://'
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const WORDS = 'not empty'
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const SETTINGS = {
  SLACK_BOT_TOKEN: setting(text.startsWith('xoxb-').optional(), 'a bot token, which begins with xoxb-', 'xoxb-…'),
  SLACK_APP_TOKEN: setting(
    text.startsWith('xapp-').optional(),
    'an app-level token, which begins with xapp-',
    'xapp-…',
  ),
  SLACK_SIGNING_SECRET: setting(text.optional(), WORDS, 'the signing secret of "Basic Information"'),
  SLACK_CLIENT_ID: setting(text.optional(), WORDS, '1234567890.1234567890'),
  SLACK_CLIENT_SECRET: setting(text.optional(), WORDS, 'the client secret of "Basic Information"'),
  SLACK_API_URL: setting(url.optional(), ADDRESS, 'http://127.0.0.1:4000/api'),
  DISCORD_TOKEN: setting(text.optional(), WORDS, 'the token of the bot page'),
  DISCORD_API_URL: setting(url.optional(), ADDRESS, 'http://127.0.0.1:4001/api'),
  DISCORD_GLOBAL_RPS: setting(
    z.coerce.number().int().min(1).max(10_000).default(50),
    'a whole number from 1 to 10000',
    '50',
  ),
  DISCORD_SHARDS: setting(
    z
      .union([
        z.literal('auto').transform(() => undefined),
        z
          .string()
          .regex(/^\d{1,4}-\d{1,4}\/\d{1,4}$/)
          .transform((value) => {
            const [first = 0, last = 0, count = 0] = value.split(/[-/]/).map(Number)
            return { first, last, count }
          })
          .refine(({ first, last, count }) => first <= last && last < count),
      ])
      .optional(),
    'auto, or the shards of this process: first-last/total, counted from 0',
    '0-3/8',
  ),
  SLACK_WORK_OBJECTS: setting(z.enum(['on', 'off']).default('off'), 'on or off', 'on'),
  DISCORD_MESSAGE_CONTENT: setting(z.enum(['on', 'off']).default('on'), 'on or off', 'off'),
  DISCORD_COMMANDS_GUILD: setting(
    text.regex(/^\d{5,25}$/).optional(),
    'the id of a server, which is a number',
    '1234567890123456789',
  ),
  FILE_HOSTS: setting(list.default([]), 'a list of hosts with commas between them', '127.0.0.1:*,files.example.org'),
  PLATFORM_BASE_URL: setting(
    url.refine((value) => value.endsWith('/v1')).optional(),
    `${ADDRESS} and ends in /v1`,
    'https://platform.example.org/v1',
  ),
  PLATFORM_API_KEY: setting(text.optional(), WORDS, 'the key of your account'),
  PLATFORM_PROFILE: setting(z.enum(['collection', 'saia']).default('collection'), 'collection or saia', 'collection'),
  PLATFORM_MODEL: setting(text.optional(), WORDS, 'a name that GET /v1/models lists'),
  PLATFORM_CORS_ORIGINS: setting(
    list
      .refine((origins) =>
        origins.every(
          (origin) => origin === '*' || (/^https?:\/\//.test(origin) && URL.parse(origin)?.origin === origin),
        ),
      )
      .default([]),
    'a list of origins with commas between them, each with its scheme and without a path, or *',
    'https://app.example.org,http://localhost:5173',
  ),
  PLATFORM_COLLECTIONS_AS_MODELS: setting(z.enum(['on', 'off']).default('off'), 'on or off', 'on'),
  PLATFORM_CHAT_CREDENTIAL: setting(z.enum(['raw', 'bearer']).optional(), 'raw or bearer', 'raw'),
  MCP_CLIENT_DOCUMENTS: setting(z.enum(['on', 'off']).default('on'), 'on or off', 'off'),
  SECOND_LOOK: setting(z.enum(['on', 'off']).default('on'), 'on or off', 'on'),
  UPSTREAM_BASE_URL: setting(url.optional(), ADDRESS, 'http://127.0.0.1:11434/v1'),
  UPSTREAM_API_KEY: setting(text.optional(), WORDS, 'the key of the model server'),
  UPSTREAM_CONTEXT_TOKENS: setting(
    z.coerce.number().int().min(512).max(100_000_000).optional(),
    'a whole number of tokens from 512',
    '8192',
  ),
  UPSTREAM_CHAT_MODEL: setting(text.optional(), WORDS, 'llama3.3'),
  UPSTREAM_EMBEDDING_MODEL: setting(text.optional(), WORDS, 'nomic-embed-text'),
  UPSTREAM_EMBEDDING_QUESTION_PREFIX: setting(text.optional(), WORDS, 'query:'),
  UPSTREAM_EMBEDDING_PASSAGE_PREFIX: setting(text.optional(), WORDS, 'passage:'),
  UPSTREAM_TRANSCRIPTION_MODEL: setting(text.optional(), WORDS, 'whisper-1'),
  EMBEDDING_MODEL: setting(text.optional(), WORDS, 'multilingual-e5-small'),
  DICTIONARIES: setting(list.optional(), 'paths of files with commas between them', '/usr/share/trans/de-en'),
  TRANSCRIPTION_MODEL_FILE: setting(text.optional(), WORDS, './ggml-base.bin'),
  OCR_LANGUAGES: setting(
    list.refine((names) => names.every((name) => /^[a-z]{3}(?:_[a-z]+)?$/i.test(name))).optional(),
    "Tesseract's names of languages with commas between them, or off",
    'eng,deu,fra',
  ),
  SPEECH_MODEL: setting(text.optional(), WORDS, 'tts-1'),
  SPEECH_VOICE: setting(text.default('alloy'), WORDS, 'alloy'),
  DATA_DIR: setting(text.default('data'), WORDS, './data'),
  DATABASE_URL: setting(
    text
      .regex(/^postgres(ql)?:\/\//)
      .refine((value) => URL.canParse(value))
      .optional(),
    'an address that begins with postgres://, its marks encoded (@ in a password is %40)',
    'postgres://footbridge:…@127.0.0.1:5432/footbridge',
  ),
  MAX_FILE_MB: setting(z.coerce.number().min(1).max(1000).default(100), 'a number from 1 to 1000', '100'),
  ADMINS: setting(
    list.refine((people) => people.every((person) => /^(slack|discord|web):\S+$/.test(person))).default([]),
    'a list of people with commas between them, each with the service before the id',
    'slack:U012ABCDEF,discord:123456789012345678',
  ),
  BUDGET_PERSON: setting(budget, BUDGET, 'questions=40/hour,megabytes=200/day'),
  BUDGET_CHANNEL: setting(budget, BUDGET, 'questions=200/hour'),
  BUDGET_WORKSPACE: setting(budget, BUDGET, 'questions=1000/day,minutes=120/day'),
  SECRET_KEY: setting(
    list
      .refine((keys) => keys.every((key) => key.length >= 32))
      .transform((keys) => (keys.length === 0 ? undefined : keys))
      .optional(),
    'at least 32 characters that nobody can guess; earlier keys after it, separated by commas',
    'the output of: openssl rand -base64 32',
  ),
  WEB_PASSWORD: setting(z.string().min(8).optional(), 'at least 8 characters long', 'correct-horse-battery'),
  WEB_KEYS: setting(z.enum(['on', 'off']).default('on'), 'on or off', 'off'),
  PUBLIC_URL: setting(url.optional(), ADDRESS, 'https://footbridge.example.org'),
  HOST: setting(text.default('127.0.0.1'), WORDS, '127.0.0.1'),
  PORT: setting(z.coerce.number().int().min(0).max(65_535).default(3000), 'a whole number from 0 to 65535', '3000'),
  DRAIN_SECONDS: setting(z.coerce.number().min(0).max(600).default(10), 'a number of seconds from 0 to 600', '10'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(url.optional(), ADDRESS, 'http://127.0.0.1:4318'),
  OTEL_EXPORTER_OTLP_HEADERS: setting(headers.default([]), 'name=value, commas between', 'authorization=Basic%20x'),
  OTEL_SERVICE_NAME: setting(text.default('footbridge'), WORDS, 'footbridge'),
  OTEL_TRACES_SAMPLER: setting(
    z.enum(SAMPLERS).default('parentbased_always_on'),
    `one of ${SAMPLERS.join(', ')}`,
    'parentbased_traceidratio',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(z.coerce.number().min(0).max(1).default(1), 'a share from 0 to 1', '0.1'),
  LOG_FORMAT: setting(z.enum(['json', 'text']).optional(), 'json or text', 'json'),
  LOG_LEVEL: setting(z.enum(LEVELS).default('info'), `one of ${LEVELS.join(', ')}`, 'info'),
} as const

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS)

type Settings = { readonly [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]['schema']> }

export interface Config extends Settings {
  /** `HOST` is a loopback address. */
  readonly loopback: boolean
  /** Folders of programs: `PATH`. */
  readonly searchPath: string | undefined
  /** A sentence for each variable that looks like a misspelt setting; another program may have given it. */
  readonly doubts: readonly string[]
}

/** The environment with changes that were made to `.env` since the start. */
export function environment(changes: Readonly<Record<string, string>> = {}) {
  return { ...process.env, ...changes }
}

/**
 * Reads the environment: the only place that does. An empty value counts as unset.
 *
 * @throws {ConfigError} with a line for each fault: the name, what is wrong, an example.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  /** Whether the web page is served: it needs a password when other machines can reach it. */
  purpose: { readonly page: boolean } = { page: true },
): Config {
  const faults: string[] = []
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { schema, wants, example }]) => {
      const raw = env[name]
      const parsed = schema.safeParse(raw === undefined || raw.trim() === '' ? undefined : raw)
      if (!parsed.success) faults.push(`${name}: must be ${wants}. Example: ${name}=${example}`)
      return [name, parsed.data]
    }),
  ) as unknown as Settings
  const loopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(values.HOST ?? '')
  faults.push(...findContradictions(values, loopback || !purpose.page || Boolean(env['WEB_PASSWORD']?.trim())))
  const doubts = Object.keys(env).flatMap((name) =>
    Object.hasOwn(SETTINGS, name) ? [] : misspeltFor(name, SETTING_NAMES),
  )
  if (faults.length > 0) {
    const lines = [...faults, ...doubts].map((fault) => `  - ${fault}`)
    throw new ConfigError(`The settings can't be used:\n${lines.join('\n')}`)
  }
  return Object.freeze({ ...values, loopback, searchPath: env['PATH'], doubts })
}

function findContradictions(values: Settings, open: boolean): string[] {
  const faults: string[] = []
  const { SLACK_APP_TOKEN: bySocket, SLACK_SIGNING_SECRET: byHttp } = values
  if (bySocket && byHttp)
    faults.push(
      'SLACK_SIGNING_SECRET: is set together with SLACK_APP_TOKEN. Slack delivers events by Socket Mode (SLACK_APP_TOKEN) or over HTTP (SLACK_SIGNING_SECRET): unset one of them',
    )
  faults.push(
    ...(values.SLACK_CLIENT_ID || values.SLACK_CLIENT_SECRET ? findOAuthFaults(values) : findTokenFaults(values)),
  )
  if (values.PLATFORM_BASE_URL && !values.PLATFORM_API_KEY) {
    faults.push(
      'PLATFORM_API_KEY: is missing although PLATFORM_BASE_URL is set. Example: PLATFORM_API_KEY=the key of your account',
    )
  }
  if (!open && !values.WEB_PASSWORD) {
    faults.push(
      `WEB_PASSWORD: is needed because HOST=${values.HOST} can be reached from other machines. Example: WEB_PASSWORD=correct-horse-battery`,
    )
  }
  return faults
}

/** One workspace. */
function findTokenFaults({ SLACK_BOT_TOKEN: bot, SLACK_APP_TOKEN: bySocket, SLACK_SIGNING_SECRET: byHttp }: Settings) {
  const faults: string[] = []
  if (bot && !bySocket && !byHttp) faults.push(missingTwin('SLACK_APP_TOKEN', 'SLACK_BOT_TOKEN'))
  if (byHttp && !bot)
    faults.push('SLACK_BOT_TOKEN: is missing although SLACK_SIGNING_SECRET is set. Example: SLACK_BOT_TOKEN=xoxb-…')
  if (bySocket && !bot) faults.push(missingTwin('SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'))
  return faults
}

/** Many workspaces: each installs the app, and has a token of its own. */
function findOAuthFaults(values: Settings): string[] {
  const faults: string[] = []
  for (const name of ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SECRET_KEY', 'PUBLIC_URL'] as const)
    if (!values[name])
      faults.push(
        `${name}: is missing; several Slack workspaces need SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SECRET_KEY and PUBLIC_URL. Example: ${name}=${SETTINGS[name].example}`,
      )
  if (!values.SLACK_APP_TOKEN && !values.SLACK_SIGNING_SECRET)
    faults.push(
      `SLACK_SIGNING_SECRET: is missing although SLACK_CLIENT_ID is set. Example: SLACK_SIGNING_SECRET=${SETTINGS.SLACK_SIGNING_SECRET.example}`,
    )
  if (values.SLACK_BOT_TOKEN)
    faults.push(
      'SLACK_BOT_TOKEN: is set together with SLACK_CLIENT_ID. Unset it: every workspace installs Footbridge at PUBLIC_URL/slack/install, also the first one, which keeps its files',
    )
  const address = URL.parse(values.PUBLIC_URL ?? '')
  if (address?.protocol === 'http:' && !/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(address.hostname))
    faults.push('PUBLIC_URL: must begin with https://, since Slack sends people back only to such an address')
  return faults
}

function missingTwin(one: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', other: string): string {
  return `${one}: is missing although ${other} is set; Socket Mode needs both. Example: ${one}=${SETTINGS[one].example}`
}
