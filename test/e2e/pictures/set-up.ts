import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PermissionFlagsBits as bits } from 'discord.js'
import { startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { type Environment, startFootbridge } from '#test/support/footbridge.ts'
import type { Look } from './discord-page.ts'
import type { Pictures } from './scenes.ts'
import { terminalOf, type Typed } from './terminal-page.ts'

const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))
const APPLICATION = '123456789012345678'
const TOKEN = `${Buffer.from(APPLICATION).toString('base64')}.pictures.0123456789`
const PLACE = '/srv/footbridge'

const looksOf = (...all: readonly Typed[]): Readonly<Record<Look, string>> => ({
  light: terminalOf('light', all),
  dark: terminalOf('dark', all),
})

async function open(messageContent: boolean) {
  const discord = await startDiscordDouble({ token: TOKEN, guildName: 'Harbour', messageContent })
  discord.addChannel('ferry')
  discord.addChannel('repairs')
  return { discord, env: { DATA_DIR: 'data', DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl } }
}

/** Output for an operator at the terminal; the doctor once before its findings are put right, and once after. */
export async function setUp(): Promise<Pictures> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'footbridge-')))
  const atPlace = (text: string) => text.replaceAll(folder, PLACE).replaceAll(/(?<=applications\/)\d+/g, APPLICATION)
  const run = (command: string, env: Environment) =>
    new Promise<Typed>((resolve) => {
      const words = command.replace(/^npm run /, '').replace('-- ', '')
      // The doctor ends with 1 where it found something.
      execFile(process.execPath, [CLI, ...words.split(' ')], { cwd: folder, env: { ...env } }, (_error, output) =>
        resolve({ command, output: atPlace(output) }),
      )
    })
  const [before, after] = [await open(false), await open(true)]
  before.discord.setOverwrites(before.discord.addChannel('staff'), [
    { id: before.discord.botRoleId, type: 0, allow: '0', deny: bits.SendMessages.toString() },
  ])
  after.discord.addChannel('staff')
  try {
    const invite = await run('npm run manifest discord', before.env)
    const ill = await run('npm run doctor', before.env)
    const well = await run('npm run doctor', after.env)
    const footbridge = await startFootbridge({ ...after.env, DATA_DIR: join(folder, 'data') })
    const output = atPlace(footbridge.output.said.join('\n')).replace(footbridge.url, 'http://127.0.0.1:3000')
    await footbridge.close()
    const start = { command: 'npm start', output }
    return { invite: looksOf(invite), doctor: looksOf(ill), ready: looksOf(well, start) }
  } finally {
    await before.discord.close()
    await after.discord.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
