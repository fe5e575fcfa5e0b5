import { createPerson } from '#test/support/people/person.ts'
import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { ferry } from '../drops.ts'
import { scenario } from '../scenario.ts'

scenario(
  'Discord: posts of a forum are answered where that is wanted and the files know it, and are marked as solved',
  { on: ['discord'], killedOn: 'discord' },
  async ({ workspace, act, errors, expect }) => {
    const { discord } = workspace as DiscordWorkspace
    const forum = discord.addPlace('help', 'forum', ['ferry', 'Solved'])
    const media = discord.addPlace('pictures', 'media')
    const person = (name: string, id: string) =>
      createPerson(workspace, name, { id, name: 'post', kind: 'public' }, { act })
    const posts = async (where: string, name: string, title: string, text: string, tags: readonly string[] = []) =>
      person(name, await act(async () => discord.post(where, title, { user: name, text, tags })))

    const welcome = await posts(forum, 'Ada', 'Files of this forum', 'Drop them here.')
    await welcome.drops(ferry)
    await welcome.sees(/ferry\.md.*ready/)
    const early = await posts(forum, 'Ben', 'From which pier does the ferry leave?', 'I have luggage.')
    await welcome.calls('settings', { options: { change: 'answers questions' } })
    await welcome.sees(/What I answer: \*\*Every question that the files answer\*\*/, ({ only }) => only === 'Ada')

    // The title is the question.
    const late = await posts(forum, 'Ben', 'When does the ferry to the island leave?', 'Can anybody tell?', ['ferry'])
    await late.seesAnswer(/leaves at 9:40.*\[1\]/)
    const unknown = await posts(forum, 'Ben', 'Who paints the lighthouse?', 'Can anybody tell?')
    const pictures = await posts(media, 'Ben', 'When does the ferry to the island leave?', 'See my picture.')
    // Among people: a bystander's remark, everybody called, another bot.
    const bystander = person('Ada', late.channel.id)
    await bystander.says('I shall be at the pier, too.')
    await act(
      async () => void discord.say({ user: 'Cleo', channel: late.channel.id, text: '@everyone the ferry is full' }),
    )
    await act(
      async () => void discord.say({ user: 'Robot', channel: late.channel.id, text: 'Which ferry?', bot: true }),
    )
    const [first] = await late.shown()
    await late.asks('And from which pier does the ferry leave?')
    await late.seesAnswer(/from pier seven.*\[1\]/, ({ id }) => id !== first?.id)
    await late.presses('👍')
    await expect.poll(() => discord.tagsOf(late.channel.id), { timeout: 60_000 }).toEqual(['Solved', 'ferry'])
    await late.sees(/^Thanks/, ({ only }) => only === 'Ben')

    expect(await early.transcript()).toEqual(['Ben: I have luggage.'])
    expect(await unknown.transcript()).toEqual(['Ben: Can anybody tell?'])
    expect(await pictures.transcript()).toEqual(['Ben: See my picture.'])
    expect(discord.tagsOf(unknown.channel.id)).toEqual([])
    expect((await late.transcript()).map((line) => line.split('\n')[0])).toEqual([
      'Ben: Can anybody tell?',
      expect.stringMatching(/^↳ Footbridge: .*leaves at 9:40/),
      'Ada: I shall be at the pier, too.',
      'Cleo: @everyone the ferry is full',
      // The other bot.
      'Footbridge: Which ferry?',
      'Ben: @Footbridge And from which pier does the ferry leave?',
      expect.stringMatching(/^↳ Footbridge: .*pier seven/),
      expect.stringMatching(/^Footbridge: Thanks/),
    ])
    expect(errors()).toEqual([])
  },
)
