import { execFile } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { withoutTerminal } from '#init/init.ts'
import { startDiscordDouble } from '../doubles/discord/discord-double.ts'
import { startSlackDouble } from '../doubles/slack/double.ts'
import { startUpstreamDouble } from '../doubles/upstream/double.ts'
import { CTRL_C, openFolder, sitDown } from './terminal.ts'

const openSlack = async () => {
  const slack = await startSlackDouble()
  onTestFinished(() => slack.close())
  return { ...slack, environment: { SLACK_API_URL: slack.apiUrl } }
}

test('everything is skipped with Enter, and no file is made', async () => {
  const path = join(openFolder(), '.env')
  const person = sitDown({ path, environment: {} })
  await person.answer('Connect Slack?', '')
  await person.answer('Connect Discord?', '')
  await person.answer('Which server', '')
  await person.answer('(a download of about', '')
  await person.answer('Start Footbridge now?', 'n')
  expect(await person.ended).toEqual({ next: 'nothing', changes: {} })
  expect(() => statSync(path)).toThrow('ENOENT')
})

test('Slack is connected by a link and two tokens, and what stood in .env stays', async () => {
  const slack = await openSlack()
  const path = join(openFolder(), '.env')
  writeFileSync(path, '# my settings\nPORT=4000\nSLACK_BOT_TOKEN=\n', { mode: 0o644 })
  const opened: string[] = []
  const person = sitDown({ path, environment: slack.environment, open: (url) => opened.push(url) })
  await person.answer('Connect Slack?', 'y')
  await person.answer('Open it in the browser?', 'y')
  await person.answer('Bot token', 'hello')
  await person.answer('This token begins with xoxb-', '')
  await person.answer('Connect Discord?', CTRL_C)
  await person.ended
  const again = sitDown({ path, environment: slack.environment })
  await again.answer('Connect Slack?', 'y')
  await again.answer('Open it in the browser?', 'n')
  await again.answer('Bot token', 'xoxb-wrong')
  await again.answer('Slack refuses SLACK_BOT_TOKEN', slack.botToken)
  await again.answer('App-level token', slack.appToken)
  await again.answer('Connect Discord?', CTRL_C)
  expect(await again.ended).toMatchObject({ next: 'interrupted' })
  const link = new URL(opened[0] ?? '')
  expect(link.origin + link.pathname + link.searchParams.get('new_app')).toBe('https://api.slack.com/apps1')
  expect(JSON.parse(link.searchParams.get('manifest_json') ?? '')).toHaveProperty('features.bot_user')
  expect(readFileSync(path, 'utf8')).toBe(
    `# my settings\nPORT=4000\nSLACK_BOT_TOKEN=${slack.botToken}\nSLACK_APP_TOKEN=${slack.appToken}\n`,
  )
  expect(statSync(path).mode & 0o777).toBe(0o600)
  // Tokens are not shown as they are typed.
  expect(again.said()).not.toContain(slack.botToken)
})

test('a token is good where files lie on a host of FILE_HOSTS', async () => {
  const slack = await openSlack()
  const channel = slack.addChannel({ kind: 'channel', name: 'team' })
  const files = [slack.hostFile(Buffer.from('a'), 'a.txt', 'text/plain')]
  slack.say({ channel, user: slack.addUser({ name: 'Ada' }).id, text: '', files })
  const path = join(openFolder(), '.env')
  const person = sitDown({ path, environment: { ...slack.environment, FILE_HOSTS: 'files.example, 127.0.0.1:*' } })
  await person.answer('Connect Slack?', 'y')
  await person.answer('Open it in the browser?', 'n')
  await person.answer('Bot token', slack.botToken)
  await person.answer('App-level token', CTRL_C)
  expect(await person.ended).toMatchObject({ next: 'interrupted' })
})

test('Ctrl-C between two tokens keeps the first one for the next run, and nothing half for a start', async () => {
  const slack = await openSlack()
  const path = join(openFolder(), '.env')
  const person = sitDown({ path, environment: slack.environment })
  await person.answer('Connect Slack?', 'y')
  await person.answer('Open it in the browser?', 'n')
  await person.answer('Bot token', slack.botToken)
  await person.answer('App-level token', CTRL_C)
  expect(await person.ended).toEqual({ next: 'interrupted', changes: {} })
  expect(person.said()).toMatch(/Stopped\. Your settings so far are in .*\. npm run init goes on from there\.\n$/)
  expect(readFileSync(path, 'utf8')).toBe(`#SLACK_BOT_TOKEN=${slack.botToken}\n`)

  const again = sitDown({ path, environment: slack.environment })
  await again.answer('I still have SLACK_BOT_TOKEN from last time', '')
  await again.answer('App-level token', slack.appToken)
  await again.answer('Connect Discord?', CTRL_C)
  await again.ended
  expect(readFileSync(path, 'utf8')).toBe(`SLACK_BOT_TOKEN=${slack.botToken}\nSLACK_APP_TOKEN=${slack.appToken}\n`)
})

test.each(['SLACK_CLIENT_ID', 'SLACK_SIGNING_SECRET'])(
  'with %s, which the tokens of Socket Mode contradict, none is asked for',
  async (name) => {
    const path = join(openFolder(), '.env')
    writeFileSync(path, `${name}=1234\n`)
    const person = sitDown({ path, environment: {} })
    await person.answer('Connect Discord?', CTRL_C)
    expect(await person.ended).toEqual({ next: 'interrupted', changes: {} })
    expect(person.said()).toContain(`Slack is set with ${name}. To change that, see docs/slack.md.`)
    expect(person.said()).not.toContain('tokens?')
    expect(person.said()).not.toContain('Connect Slack?')
  },
)

test('Ctrl-C ends the waiting for a service that does not answer', async () => {
  const slack = await openSlack()
  slack.script('auth.test', { hang: true })
  const path = join(openFolder(), '.env')
  const person = sitDown({ path, environment: slack.environment })
  await person.answer('Connect Slack?', 'y')
  await person.answer('Open it in the browser?', 'n')
  await person.answer('Bot token', slack.botToken)
  await person.answer('Asking Slack', CTRL_C)
  expect(await person.ended).toMatchObject({ next: 'interrupted' })
  expect(person.said()).toContain('Stopped. Nothing was set. npm run init goes on from there.')
})

test('Discord is set once the intent is on, or without it, and its invite link is shown', async () => {
  const discord = await startDiscordDouble({ messageContent: false })
  onTestFinished(() => discord.close())
  const path = join(openFolder(), '.env')
  const person = sitDown({ path, environment: { DISCORD_API_URL: discord.apiUrl } })
  await person.answer('Connect Slack?', '')
  await person.answer('Connect Discord?', 'y')
  await person.answer('Bot token:', 'wrong')
  await person.answer('Bot token:', discord.token)
  await person.answer('MESSAGE CONTENT INTENT is off', CTRL_C)
  await person.ended
  expect(readFileSync(path, 'utf8')).toBe(`#DISCORD_TOKEN=${discord.token}\n`)
  const without = sitDown({ path, environment: { DISCORD_API_URL: discord.apiUrl } })
  await without.answer('Connect Slack?', '')
  await without.answer('type "without" to go on without it', '')
  await without.answer('type "without" to go on without it', 'without')
  await without.answer('https://discord.com/oauth2/authorize?client_id=', 'n')
  await without.answer('Which server', CTRL_C)
  await without.ended
  expect(readFileSync(path, 'utf8')).toBe(`DISCORD_TOKEN=${discord.token}\nDISCORD_MESSAGE_CONTENT=off\n`)

  const ready = await startDiscordDouble()
  onTestFinished(() => ready.close())
  writeFileSync(path, '#DISCORD_TOKEN=reset-meanwhile\n')
  const again = sitDown({ path, environment: { DISCORD_API_URL: ready.apiUrl } })
  await again.answer('Connect Slack?', '')
  await again.answer('Bot token:', ready.token)
  await again.answer('https://discord.com/oauth2/authorize?client_id=', 'n')
  await again.answer('Which server', CTRL_C)
  await again.ended
  expect(readFileSync(path, 'utf8')).toBe(`DISCORD_TOKEN=${ready.token}\n`)
})

test('a model server of this machine is found, and its model set once it has answered', async () => {
  const upstream = await startUpstreamDouble({ models: ['nomic-embed-text', 'small', 'large'] })
  onTestFinished(() => upstream.close())
  upstream.script({ kind: 'fault', fault: 'cut' }, { kind: 'fault', fault: 'cut' })
  const path = join(openFolder(), '.env')
  const servers = [
    { name: 'Ollama', baseUrl: upstream.baseUrl },
    { name: 'vLLM', baseUrl: 'http://127.0.0.1:9/v1' },
  ]
  const person = sitDown({ path, environment: {}, servers })
  await person.answer('Connect Slack?', '')
  await person.answer('Connect Discord?', '')
  await person.answer('1  Ollama at', '1')
  await person.answer('1  small', '2')
  await person.answer('The model server broke the connection off', '1')
  await person.answer('Search by meaning with nomic-embed-text', '')
  await person.answer('Start Footbridge now?', '')
  const changes = {
    UPSTREAM_BASE_URL: upstream.baseUrl,
    UPSTREAM_CHAT_MODEL: 'small',
    UPSTREAM_EMBEDDING_MODEL: 'nomic-embed-text',
  }
  expect(await person.ended).toEqual({ next: 'start', changes })
  expect(person.said()).not.toContain('vLLM at')
})

test('an address without /v1 is completed, and a wrong key is told', async () => {
  const upstream = await startUpstreamDouble({ models: ['small'], apiKey: 'right', root: '/v1' })
  onTestFinished(() => upstream.close())
  const path = join(openFolder(), '.env')
  const person = sitDown({ path, environment: {}, makeReady: () => Promise.reject(new Error('No space is left.')) })
  await person.answer('Connect Slack?', '')
  await person.answer('Connect Discord?', '')
  await person.answer('Which server', '1')
  await person.answer('Address', upstream.origin)
  await person.answer('Key', 'wrong')
  await person.answer('refused our key', upstream.origin.replace('http://', ''))
  await person.answer('Key', 'right')
  await person.answer('1  small', '7')
  await person.answer('Type a number from 1 to 1', '1')
  await person.answer('Search by meaning on this machine', 'y')
  await person.answer('No space is left.', 'n')
  const changes = { UPSTREAM_BASE_URL: upstream.baseUrl, UPSTREAM_API_KEY: 'right', UPSTREAM_CHAT_MODEL: 'small' }
  expect(await person.ended).toEqual({ next: 'nothing', changes })
  expect(person.said()).toContain(`It answers at ${upstream.baseUrl}.`)
})

test('Ctrl-C ends the waiting for a model server that is set and does not answer', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => silent.close().closeAllConnections())
  const { port } = silent.address() as AddressInfo
  const path = join(openFolder(), '.env')
  const person = sitDown({ path, environment: { UPSTREAM_BASE_URL: `http://127.0.0.1:${port}/v1` } })
  await person.answer('Connect Slack?', '')
  await person.answer('Connect Discord?', '')
  await person.answer('Set another one?', '')
  await person.answer('Asking for its models', CTRL_C)
  expect(await person.ended).toMatchObject({ next: 'interrupted' })
})

test('without a terminal it says which variables to set, and ends with 1', async () => {
  const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
  const { code, err } = await new Promise<{ code: number | null; err: string }>((resolve) => {
    const child = execFile(process.execPath, [cli, 'init'], { cwd: openFolder() }, (_, _out, said) =>
      resolve({ code: child.exitCode, err: said }),
    )
  })
  expect(code).toBe(1)
  for (const name of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'DISCORD_TOKEN', 'UPSTREAM_BASE_URL', 'EMBEDDING_MODEL'])
    expect(err).toContain(name)
})

test('without a terminal the settings are listed in short lines, with the long link of the Slack app at the end', () => {
  const lines = withoutTerminal().split('\n')
  expect(lines.at(-1)).toMatch(/^The Slack app: https:\/\/api\.slack\.com\/apps\?new_app=1&manifest_json=/)
  expect(lines.slice(0, -1).filter((line) => line.length > 120)).toEqual([])
})
