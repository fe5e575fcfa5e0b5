import { applicationOf, examineDiscord, serverInvite } from '#adapters/discord/set-up.ts'
import { show, type Step } from './step.ts'

const PORTAL = 'https://discord.com/developers/applications'

/** Sets the token once Discord takes it and the intent is on: without it dropped files are not heard. */
export async function connectDiscord(step: Step): Promise<void> {
  const { prompt, file, setting } = step
  const isSet = setting('DISCORD_TOKEN') !== undefined
  if (isSet && !(await prompt.confirm('Discord is set. Set another token?', false))) return
  const kept = isSet ? undefined : file.kept('DISCORD_TOKEN')
  if (!isSet && kept === undefined) {
    if (!(await prompt.confirm('Connect Discord?', false))) return
    prompt.say(`  Make an application at ${PORTAL}. On its page "Bot":`)
    prompt.say('  switch on MESSAGE CONTENT INTENT, save, then "Reset Token".')
  }
  const token = await findToken(step, kept)
  if (token === undefined) return
  if (!isSet) file.keep('DISCORD_TOKEN', token)
  if (!(await untilFound(step, token, 'MESSAGE CONTENT INTENT is on', 'Switch it on, save, and press'))) return
  file.set({ DISCORD_TOKEN: token })
  prompt.say('  Discord is set. This link adds it to a server:')
  const invite = serverInvite(applicationOf(token) ?? '')
  prompt.say(`\n${invite}\n`)
  if (await prompt.confirm('Open it in the browser?', true)) step.open(invite)
}

const examine = ({ prompt, setting }: Step, token: string) =>
  prompt.during('Asking Discord', examineDiscord({ token, apiUrl: setting('DISCORD_API_URL') }))

async function findToken(step: Step, kept: string | undefined): Promise<string | undefined> {
  const { prompt } = step
  if (kept !== undefined) {
    prompt.say('  DISCORD_TOKEN is there from last time.')
    return kept
  }
  for (;;) {
    const token = await prompt.ask('Bot token:', { secret: true })
    if (token === '') return undefined
    const [accepted] = await examine(step, token)
    if (accepted !== undefined && show(prompt, [accepted])) return token
  }
}

/** Looks again after each Enter until Discord says so; false: left for later. */
async function untilFound(step: Step, token: string, wanted: string, remedy: string): Promise<boolean> {
  for (;;) {
    const [, intent] = await examine(step, token)
    if (intent === undefined || intent.text.includes(wanted)) return show(step.prompt, intent ? [intent] : [])
    show(step.prompt, [intent])
    const answer = await step.prompt.ask(`${remedy} Enter; type "later" to go on without Discord:`)
    if (/^l/i.test(answer)) return false
  }
}
