import { ferry, note } from './drops.ts'
import { hostedScenario } from './scenario.ts'

hostedScenario(
  'limits of the platform are waited out when short and told when long, and a channel has its own',
  { killedOn: 'slack', settings: { BUDGET_CHANNEL: 'megabytes=0.001/day' } },
  async ({ ada, platform, expect }) => {
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)

    // The minute is over in a moment: nobody is told to come again.
    platform.script('chat', { kind: 'rate-limit', window: 'minute', resetSeconds: 1 })
    await ada.asks('From which pier does the ferry leave?')
    await ada.sees(/leaves at 9:40 from pier seven\.? ?\[1\]/)
    expect(await ada.count(/The limit of the platform is reached/)).toBe(0)

    platform.script('chat', { kind: 'rate-limit', window: 'hour' }, Infinity)
    await ada.asks('And when does the ferry leave?')
    await ada.sees(/The limit of the platform is reached for now\. You can ask again (?:at|in) \d/)

    await ada.drops(note('long.md', 'A long tale. '.repeat(100)))
    await ada.sees(
      /long\.md.*(?:The budget of this channel \(0\.001 MB|more than the budget of this channel ever allows)/,
    )
  },
)
