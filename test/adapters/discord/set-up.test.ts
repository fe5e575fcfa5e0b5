import { PermissionFlagsBits as bits } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { applicationOf, discordInvite, examineDiscord } from '#adapters/discord/set-up.ts'
import { openDouble } from './harness.ts'

const said = async (discord: { readonly token: string; readonly apiUrl: string }, token = discord.token) =>
  (await examineDiscord({ token, apiUrl: discord.apiUrl })).map(({ ok, text }) => `${ok ? 'ok' : 'FAIL'} ${text}`)

describe('the invite', () => {
  test('asks for exactly what is used, and names the intent to switch on', () => {
    const lines = discordInvite('123456789012345678').split('\n')
    const [server = '', person = ''] = lines.filter((line) => line.includes('oauth2'))
    const asked = new URL(server.trim()).searchParams
    expect(asked.get('scope')).toBe('bot applications.commands')
    expect(BigInt(asked.get('permissions') ?? 0)).toBe(
      bits.ViewChannel | bits.SendMessages | bits.SendMessagesInThreads | bits.ReadMessageHistory | bits.AttachFiles,
    )
    expect(new URL(person.trim()).searchParams.get('integration_type')).toBe('1')
    expect(lines.join('\n')).toContain('MESSAGE CONTENT INTENT')
  })

  test('finds the application in the token', () => {
    const head = Buffer.from('123456789012345678').toString('base64')
    expect(applicationOf(`${head}.abc.def`)).toBe('123456789012345678')
    expect(applicationOf('nonsense')).toBeUndefined()
    expect(applicationOf(undefined)).toBeUndefined()
  })
})

describe('the doctor', () => {
  test('does not take a fault of its own for a broken connection', async () => {
    const discord = await openDouble()
    discord.script('GET /users/@me/guilds', { kind: 'status', status: 200, body: {} })
    expect(await said(discord)).toEqual([
      expect.stringMatching(/^FAIL Discord: the check itself failed .*nothing about the connection/),
    ])
  })

  test('names the permissions that each channel lacks, and what does not work without', async () => {
    const discord = await openDouble()
    const quiet = discord.addChannel('quiet')
    const closed = discord.addChannel('closed')
    const deny = (bit: bigint) => [{ id: discord.botRoleId, type: 0 as const, allow: '0', deny: bit.toString() }]
    discord.setOverwrites(quiet, deny(bits.SendMessages | bits.ReadMessageHistory))
    discord.setOverwrites(closed, deny(bits.ViewChannel))
    expect(await said(discord)).toEqual([
      'ok Discord accepts the token of footbridge',
      'ok Discord: MESSAGE CONTENT INTENT is on',
      'ok Discord, Double: Footbridge sees 2 of 3 channels',
      'FAIL Discord, Double, #quiet: Footbridge lacks Send Messages, Read Message History. Allow it for its role: nothing is answered until then',
    ])
    expect(discord.gateway.identified).toBe(0)
  })

  test('tells a wrong token and a missing intent, with the page where it is mended', async () => {
    const discord = await openDouble({ messageContent: false })
    expect(await said(discord, 'wrong')).toEqual([expect.stringMatching(/^FAIL Discord: .*DISCORD_TOKEN.*Bot page/)])
    expect(await said(discord)).toContainEqual(
      expect.stringMatching(
        /^FAIL Discord: MESSAGE CONTENT INTENT is off\. Footbridge receives mentions.*Switch it on at https:.*\/bot, or set DISCORD_MESSAGE_CONTENT=off$/,
      ),
    )
  })

  test('does not ask for an intent that is not wanted', async () => {
    const { token, apiUrl } = await openDouble({ messageContent: false })
    const [, intent] = await examineDiscord({ token, apiUrl, messageContent: false })
    expect(intent).toMatchObject({ ok: true, text: expect.stringContaining('DISCORD_MESSAGE_CONTENT is off') })
  })
})
