import { ferry, mole } from './drops.ts'
import { hostedScenario, scenario } from './scenario.ts'

scenario(
  'an answer is said shorter and longer, put right, taken back, and the thread is kept as a whole',
  {
    killedOn: 'slack',
    rules: [
      [/at most half as many words/, 'Pier seven. [RREF1]'],
      [/in more detail/, 'The ferry leaves from pier seven, and it goes to the island. [RREF1]'],
    ],
  },
  async ({ workspace, ada, errors, expect }) => {
    await ada.drops(ferry, mole)
    await ada.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)

    const question = await ada.asks('From which pier does the fairy leave?')
    const answer = await ada.sees(/from pier seven\. ?\[1\]/, ({ buttons }) => buttons.includes('Shorter'))
    await ada.presses('Shorter')
    await ada.sees(/^Pier seven\. ?\[1\]/, ({ id, buttons }) => id === answer.id && buttons.includes('Longer'))
    await ada.presses('Longer')
    await ada.sees(
      /and it goes to the island\. ?\[1\][^]*ferry\.md/,
      ({ id, buttons }) => id === answer.id && buttons.includes('↻'),
    )
    expect(await ada.count(/pier seven/i)).toBe(1)

    // The question is put right: its answer is written anew, in its place.
    const call = workspace.service === 'web' ? '@footbridge ' : ''
    await ada.edits(question, `${call}When is the mole of the harbour closed?`)
    await ada.seesAnswer(/closed from November to March\. ?\[1\]/, ({ id }) => id === answer.id)

    await ada.asks('And who told you of the harbour mole?', { after: answer.id })
    await ada.seesAnswer(/mole.*\[1\]/, ({ id }) => id !== answer.id)
    await ada.asks('keep thread', { after: answer.id })
    await ada.sees(/\d{4}-\d{2}-\d{2}.*\.md.*ready/)

    const second = await ada.asks('From which pier does the ferry leave today?')
    const stray = await ada.seesAnswer(/pier seven\. ?\[1\]/, ({ id }) => id !== answer.id)
    await ada.deletes(second)
    await expect.poll(async () => (await ada.shown()).some(({ id }) => id === stray.id)).toBe(false)
    expect(await ada.count(/closed from November to March\. ?\[1\]/)).toBeGreaterThan(0)
    expect(errors()).toEqual([])
  },
)

hostedScenario(
  'a conversation takes a model of its own, and its questions are answered in order',
  { killedOn: 'discord' },
  async ({ workspace, adaDirect, platform, expect }) => {
    // Discord lists no direct conversation: one that was never heard of is not read up to now after a crash.
    const first = await workspace.say('Ada', adaDirect.channel, { text: 'model other' })
    await adaDirect.sees(/`?other-model`? answers in this conversation/)

    const released = Promise.withResolvers<void>()
    platform.script('chat', { kind: 'delay', until: released.promise }, Infinity)
    // On Slack a conversation is a thread.
    for (const number of ['one', 'two', 'three'])
      await adaDirect.says(`Please repeat number ${number}`, { after: first })
    released.resolve()
    await adaDirect.sees(/You said: Please repeat number three/)
    const said = (await adaDirect.shown()).flatMap(({ text }) => /number (\w+)/.exec(text)?.[1] ?? [])
    expect(said).toEqual(['one', 'two', 'three'])
    const models = platform.requests
      .filter(({ op }) => op === 'chat')
      .map(({ json }) => (json as { model: string }).model)
    expect(new Set(models)).toEqual(new Set(['other-model']))
  },
)
