import { checkAppToken, checkBotToken } from '#adapters/slack/check.ts'
import { slackManifest } from '#adapters/slack/manifest.ts'
import { show, type Step } from './step.ts'

/** Slack's page for a new app, with the manifest filled in. */
export const newAppLink = () =>
  `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(slackManifest()))}`

type TokenName = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'
const TOKENS = {
  SLACK_BOT_TOKEN: {
    question: 'Bot token ("OAuth & Permissions", after "Install to Workspace"; xoxb-…):',
    begins: 'xoxb-',
    check: checkBotToken,
  },
  SLACK_APP_TOKEN: {
    question: 'App-level token ("Basic Information" → "App-Level Tokens", scope connections:write; xapp-…):',
    begins: 'xapp-',
    check: checkAppToken,
  },
} as const

/** Settings of the other two ways to connect; the start refuses them together with a token of Socket Mode. */
const OTHER_WAYS = ['SLACK_CLIENT_ID', 'SLACK_SIGNING_SECRET']

/** Sets both tokens, once Slack takes them. */
export async function connectSlack(step: Step): Promise<void> {
  const { prompt, file, setting } = step
  const other = OTHER_WAYS.find((name) => setting(name) !== undefined)
  if (other !== undefined) return prompt.say(`  Slack is set with ${other}. To change that, see docs/slack.md.`)
  const isSet = setting('SLACK_BOT_TOKEN') !== undefined
  if (isSet && !(await prompt.confirm('Slack is set. Set other tokens?', false))) return
  const isHalf = !isSet && file.kept('SLACK_BOT_TOKEN') !== undefined
  if (!isHalf && !isSet && !(await prompt.confirm('Connect Slack?', false))) return
  if (!isHalf) await makeApp(step)
  const botToken = await findToken(step, 'SLACK_BOT_TOKEN')
  if (botToken === undefined) return
  if (!isSet) file.keep('SLACK_BOT_TOKEN', botToken)
  const appToken = await findToken(step, 'SLACK_APP_TOKEN')
  if (appToken === undefined) return
  file.set({ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken })
  prompt.say('  Slack is set. Invite Footbridge to a channel: /invite @footbridge')
}

async function makeApp({ prompt, open }: Step): Promise<void> {
  const link = newAppLink()
  prompt.say(`  This link makes the Slack app, with everything filled in:\n\n${link}\n`)
  if (await prompt.confirm('Open it in the browser?', true)) open(link)
  prompt.say('  Choose the workspace, press "Create", then "Install to Workspace".')
}

/** @returns a token that Slack took, that of an earlier run first; `undefined`: skipped */
async function findToken({ prompt, file, setting }: Step, name: TokenName): Promise<string | undefined> {
  const { question, begins, check } = TOKENS[name]
  const fileHosts = setting('FILE_HOSTS')?.split(/\s*,\s*/)
  const options = { apiUrl: setting('SLACK_API_URL'), fileHosts }
  const isGood = async (token: string) =>
    show(prompt, await prompt.during('Asking Slack', check({ ...options, token })))
  const kept = file.kept(name)
  if (kept !== undefined && setting(name) === undefined) {
    prompt.say(`  I still have ${name} from last time.`)
    if (await isGood(kept)) return kept
  }
  for (;;) {
    const token = await prompt.ask(question, { secret: true })
    if (token === '') return undefined
    if (!token.startsWith(begins)) prompt.say(`  ✗ This token begins with ${begins}. To skip Slack, press Enter alone.`)
    else if (await isGood(token)) return token
  }
}
