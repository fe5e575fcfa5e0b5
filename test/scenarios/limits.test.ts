import { describe, test } from 'vitest'
import { ferry, note } from './drops.ts'
import { openHostedStage, runs } from './stage.ts'

describe.concurrent.each(runs('slack'))('limits on %s, %s', (service, _, rough) => {
  test('of the platform are waited out when short and told when long, and a channel has its own', async (context) => {
    const { asks, drops, sees, count, platform } = await openHostedStage(service, rough, context, {
      settings: { BUDGET_CHANNEL: 'megabytes=0.001/day' },
    })
    const { expect } = context
    await drops(ferry)
    await sees(/ferry\.md.*(?:ready|bereit)/)

    // The minute is over in a moment: nobody is told to come again.
    platform.script('chat', { kind: 'rate-limit', window: 'minute', resetSeconds: 1 })
    await asks('From which pier does the ferry leave?')
    await sees(/leaves at 9:40 from pier seven\.? ?\[1\]/)
    expect(await count(/The limit of the platform is reached/)).toBe(0)

    platform.script('chat', { kind: 'rate-limit', window: 'hour' }, Infinity)
    await asks('And when does the ferry leave?')
    await sees(/The limit of the platform is reached for now\. You can ask again at \d{2}:\d{2}/)

    await drops(note('long.md', 'A long tale. '.repeat(100)))
    await sees(
      /long\.md.*(?:The budget of this channel of 0\.001 MB|more than all of the budget of this channel)/,
    )
  }, 1_200_000)
})
