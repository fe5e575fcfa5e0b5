import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, SETTING_NAMES } from '#src/config.ts'

const exampleText = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
const example = parseEnv(exampleText)

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').filter((line) => line.startsWith('  - '))
  }
  return []
}

describe('.env.example', () => {
  it('names every setting that the reader knows, and no other', () => {
    expect(Object.keys(example).toSorted()).toEqual(SETTING_NAMES.toSorted())
  })

  it('names each setting once', () => {
    const names = exampleText.split('\n').flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? [])
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  })

  it('explains each setting on the line above it', () => {
    const lines = exampleText.split('\n')
    const unexplained = lines.filter(
      (line, index) => /^[A-Z_]+=/.test(line) && !/^# .{10}/.test(lines[index - 1] ?? ''),
    )
    expect(unexplained).toEqual([])
  })

  it('shows the defaults: read as it stands it is the same as an empty environment', () => {
    expect(readConfig(example)).toEqual(readConfig({}))
  })
})

describe('readConfig', () => {
  it('needs no setting at all', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      DATA_DIR: 'data',
      LOG_LEVEL: 'info',
      PLATFORM_PROFILE: 'collection',
      loopback: true,
    })
  })

  it('takes an empty or blank value as unset', () => {
    const blank = Object.fromEntries(SETTING_NAMES.map((name) => [name, '  ']))
    expect(readConfig(blank)).toEqual(readConfig({}))
  })

  it('takes the languages of text recognition by their names, or none', () => {
    expect(readConfig({ OCR_LANGUAGES: 'eng, chi_sim' }).OCR_LANGUAGES).toEqual(['eng', 'chi_sim'])
    expect(readConfig({ OCR_LANGUAGES: 'off' }).OCR_LANGUAGES).toEqual(['off'])
    expect(faultsOf({ OCR_LANGUAGES: 'English' })).toEqual([expect.stringContaining('OCR_LANGUAGES')])
  })

  it('ignores what it does not know', () => {
    expect(readConfig({ HOME: '/bin', SLACK_TYPO: 'x' })).toEqual(readConfig({}))
  })

  it.each([
    ['WEB_PASWORD', 'WEB_PASSWORD'],
    ['UPSTREAM_CHATMODEL', 'UPSTREAM_CHAT_MODEL'],
    ['upstream_chat_model', 'UPSTREAM_CHAT_MODEL'],
    ['UPSTERAM_BASE_URL', 'UPSTREAM_BASE_URL'],
    ['UPSTREAM_MODEL', 'UPSTREAM_CHAT_MODEL'],
    ['SLACK_TOKEN', 'SLACK_BOT_TOKEN'],
    ['DISCORD_BOT_TOKEN', 'DISCORD_TOKEN'],
    ['PLATFORM_URL', 'PLATFORM_BASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['ADMIN', 'ADMINS'],
    ['MAX_FILE_SIZE_MB', 'MAX_FILE_MB'],
  ])('reports %s with the nearest name', (typed, meant) => {
    expect(readConfig({ [typed]: 'x' }).doubts).toEqual([
      expect.stringMatching(`^${typed}: .* Did you mean ${meant}\\?$`),
    ])
  })

  it('reports a misspelt setting with the fault that it leads to', () => {
    expect(faultsOf({ HOST: '0.0.0.0', WEB_PASWORD: 'correct-horse' }).at(-1)).toContain('Did you mean WEB_PASSWORD?')
  })

  it('does not doubt what other programs set', () => {
    const others = 'PATH HOME HOSTNAME HOSTTYPE LANG EDITOR MAIL LOGNAME PWD SLACK_WEBHOOK_URL OPENAI_API_KEY API_KEY'
    const more = 'npm_config_cache PGHOST PGPORT NODE_ENV NODE_OPTIONS DATABASE_HOST PASSWORD BASE_URL LESS LS_COLORS'
    const otel = 'OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TIMEOUT OTEL_TRACES_EXPORTER OTEL_SERVICE_VERSION'
    const env = Object.fromEntries(`${others} ${more} ${otel}`.split(' ').map((name) => [name, 'x']))
    expect(readConfig(env).doubts).toEqual([])
  })

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })

  it('reports every fault at once, each with its name and an example', () => {
    const faults = faultsOf({
      PORT: 'many',
      LOG_LEVEL: 'loud',
      SLACK_BOT_TOKEN: 'xoxp-1',
      PLATFORM_BASE_URL: 'https://platform.example.org',
      MAX_FILE_MB: '0',
      HOST: '0.0.0.0',
    })
    const names = faults.map((fault) => /^ {2}- ([A-Z_]+):/.exec(fault)?.[1])
    expect(names).toEqual(
      expect.arrayContaining([
        'PORT',
        'LOG_LEVEL',
        'SLACK_BOT_TOKEN',
        'PLATFORM_BASE_URL',
        'MAX_FILE_MB',
        'WEB_PASSWORD',
      ]),
    )
    expect(faults.filter((fault) => !fault.includes('Example: '))).toEqual([])
  })

  it('takes people who administer, each with the service before the id', () => {
    expect(readConfig({ ADMINS: 'slack:U01, discord:42' }).ADMINS).toEqual(['slack:U01', 'discord:42'])
    expect(readConfig({}).ADMINS).toEqual([])
    expect(faultsOf({ ADMINS: 'U01' })[0]).toMatch(/ADMINS: must be a list of people/)
  })

  it('never repeats a value, which may be a secret', () => {
    const secret = 'wrong-prefix-5f1c2a'
    const message = faultsOf({ SLACK_BOT_TOKEN: secret, SLACK_APP_TOKEN: secret, UPSTREAM_BASE_URL: secret })
    expect(message).toHaveLength(3)
    expect(message.join('\n')).not.toContain(secret)
  })

  it.each([
    ['SLACK_APP_TOKEN', { SLACK_BOT_TOKEN: 'xoxb-1' }],
    ['SLACK_BOT_TOKEN', { SLACK_APP_TOKEN: 'xapp-1' }],
    ['PLATFORM_API_KEY', { PLATFORM_BASE_URL: 'https://platform.example.org/v1' }],
  ])('asks for %s when its twin stands alone', (missing, env) => {
    const faults = faultsOf(env)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^ {2}- ${missing}: is missing`))
  })

  it.each(['127.0.0.1', '127.0.0.53', '::1', 'localhost'])('knows %s as loopback: no login needed', (HOST) => {
    expect(readConfig({ HOST }).loopback).toBe(true)
  })

  it.each(['0.0.0.0', '::', '192.168.1.4', 'footbridge.example.org', '127.0.0.1.example.org'])(
    'asks for WEB_PASSWORD on %s, which other machines reach',
    (HOST) => {
      expect(faultsOf({ HOST })).toEqual([expect.stringContaining('WEB_PASSWORD: is needed')])
      expect(readConfig({ HOST, WEB_PASSWORD: 'long enough' }).loopback).toBe(false)
    },
  )

  it('refuses a password of fewer than 8 characters', () => {
    expect(faultsOf({ WEB_PASSWORD: 'seven77' })).toEqual([expect.stringContaining('WEB_PASSWORD: ')])
  })

  it('takes trailing slashes off addresses', () => {
    const env = { PLATFORM_BASE_URL: 'https://platform.example.org/v1/', PLATFORM_API_KEY: 'k' }
    expect(readConfig(env).PLATFORM_BASE_URL).toBe('https://platform.example.org/v1')
  })

  it('takes the address of a PostgreSQL database and no other, and does not repeat it', () => {
    const url = 'postgres://anna:p%40ss@db.example.org:5433/notes?sslmode=verify-full'
    expect(readConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url)
    for (const wrong of ['mysql://anna:5f1c2a@db/notes', 'postgres://anna:5f1c2a@[x/notes', '5f1c2a']) {
      const faults = faultsOf({ DATABASE_URL: wrong })
      expect(faults).toEqual([expect.stringMatching(/DATABASE_URL: must be an address that begins with postgres/)])
      expect(faults.join('')).not.toContain('5f1c2a')
    }
  })

  it('splits lists at commas', () => {
    expect(readConfig({ FILE_HOSTS: '127.0.0.1:*, files.example.org,' }).FILE_HOSTS).toEqual([
      '127.0.0.1:*',
      'files.example.org',
    ])
  })
})
