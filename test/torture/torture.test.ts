/** The short form of `npm run torture`. Kills and leaks have suites of their own: test/crash, test/leak. */
import { describe, expect, it } from 'vitest'
import { discordCalls } from './calls.ts'
import { fuzz } from './fuzz.ts'
import { outage, platformFaults } from './load.ts'
import { PLATFORM_FAULTS } from './platform-faults.ts'
import { processes } from './processes.ts'
import { DISCORD_FAULTS, discordFaults, SLACK_FAULTS, slackFaults } from './services.ts'
import { cutStreams, repeatedEvents } from './streams.ts'
import { textFunctions } from './text-functions.ts'
import { workspaces } from './workspaces.ts'

const isQuick = ({ isSlow }: { readonly isSlow?: true }) => isSlow !== true
const QUICK: typeof PLATFORM_FAULTS = {
  ...PLATFORM_FAULTS,
  question: PLATFORM_FAULTS.question.filter(isQuick),
  note: PLATFORM_FAULTS.note.filter(isQuick),
}

describe.concurrent('torture, short', () => {
  it.each([
    ['text functions', () => textFunctions(3000, 7)],
    ['hostile input', () => fuzz(160, 7)],
    ['platform faults', () => platformFaults({ faultRate: 0.4, acts: 72, faults: QUICK })],
    ['a platform that is away', () => outage(40)],
    ['cut answers', cutStreams],
    ['repeated events', () => repeatedEvents(3)],
    ['three processes', () => processes(3, ['upgrade', 'database', 'kill'])],
    ['workspaces in three processes', () => workspaces({ count: 4, calls: 150, seed: 7 })],
    ['calls to Discord by three processes', () => discordCalls({ calls: 250, seed: 7, rps: 25 })],
    ['faults of Slack', () => slackFaults(1, SLACK_FAULTS.filter(isQuick))],
    ['faults of Discord', () => discordFaults(1, DISCORD_FAULTS.filter(isQuick))],
  ])('%s', async (_, run) => {
    const { wrong, tried } = await run()
    expect(wrong).toEqual([])
    expect(tried).toMatch(/[1-9]/)
  })
})
