import { buttonsOf, readBlocks } from '../doubles/slack/blocks.ts'
import { isJson, type Json } from '../doubles/slack/types.ts'
import type { SlackWorkspace } from '../support/people/slack.ts'
import { readMemo } from '../support/speech.ts'
import { ferry } from './drops.ts'
import { scenario } from './scenario.ts'

/** Slack takes a dialog within three seconds of the press. */
const DIALOG_MS = 3_000

const wordsIn = (view: Json | undefined): string => {
  const blocks = Array.isArray(view?.['blocks']) ? view['blocks'].filter(isJson) : []
  return [readBlocks(blocks).body, ...buttonsOf(blocks).map(({ label }) => `[${label}]`)].join('\n')
}

scenario(
  'Slack: a clip is heard and answered, App Home and its dialog show and change what there is, prompts ask in a channel',
  { on: ['slack'], killedOn: 'slack' },
  async ({ workspace, ada, adaDirect, act, spoken, errors, expect }) => {
    const onSlack = workspace as SlackWorkspace
    const { slack } = onSlack
    const user = onSlack.userId('Ada')
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)

    spoken.push('From which pier does the ferry leave?')
    await ada.records(readMemo('lighthouse.ogg'))
    await ada.sees(/“From which pier does the ferry leave\?”/)
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)

    const home = async (pattern: RegExp) => {
      await act(async () => slack.openHome(user))
      await expect.poll(() => wordsIn(slack.workspace.homes.get(user)), { timeout: 60_000 }).toMatch(pattern)
    }
    await home(
      /Your channels\n\*#ferry\* — 1 file ready\n• ✅ ferry\.md[^]*I speak English to you[^]*\[Settings of #ferry\]/,
    )

    const isFilled = () =>
      slack
        .until(() => slack.dialog(user)?.view['submit'], 'a dialog', DIALOG_MS)
        .then(
          () => true,
          () => false,
        )
    do await act(async () => slack.pressHome(user, 'Settings of #ferry'))
    while (!(await isFilled()))
    await act(async () => slack.submitForm(user, { listens: 'Mentions only', digest: 'Yes' }))
    await adaDirect.sees(/The settings of #ferry are saved/)
    await ada.calls('settings')
    const settings = await ada.sees(/What I answer: \*\*Mentions only\*\*[^]*A summary each week: \*\*Yes\*\*/)
    expect(settings.only).toBe('Ada')

    await act(async () => slack.lookAt(user, ada.channel.id))
    const prompts = () => slack.callsOf('assistant.threads.setSuggestedPrompts').at(-1)?.args['prompts']
    const wanted = { title: 'What does ferry.md say?', message: 'ask in #ferry: What does ferry.md say?' }
    await expect.poll(prompts, { timeout: 60_000 }).toContainEqual(wanted)
    await adaDirect.says('ask in #ferry: From which pier does the ferry leave?')
    await adaDirect.seesAnswer(/from pier seven\. ?\[1\][^]*#ferry/)
    expect(await ada.count(/from pier seven/)).toBe(1)
    expect(await adaDirect.count(/The settings of #ferry are saved/)).toBe(1)
    expect(errors()).toEqual([])
  },
)
