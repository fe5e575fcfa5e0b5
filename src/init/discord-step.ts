import { applicationOf, examineDiscord, serverInvite } from '#adapters/discord/set-up.ts'
import { show, type Step } from './step.ts'

const PORTAL = 'https://discord.com/developers/applications'

/** Sets the token once Discord takes it. Whoever goes on without the Message Content Intent gets `DISCORD_MESSAGE_CONTENT=off`. */
export async function connectDiscord(step: Step): Promise<void> {
  const { prompt, file, setting } = step
  const isSet = setting('DISCORD_TOKEN') !== undefined
  if (isSet && !(await prompt.confirm('Discord is set. Set another token?', false))) return
  const kept = isSet ? undefined : file.kept('DISCORD_TOKEN')
  if (!isSet && kept === undefined) {
    if (!(await prompt.confirm('Connect Discord?', false))) return
    prompt.say(`  Make an application at ${PORTAL}. On its page "Bot":`)
    prompt.say('  switch on MESSAGE CONTENT INTENT, save, then press "Reset Token". The intent is optional:')
    prompt.say('  without it, people have to mention Footbridge with each file and follow-up.')
  }
  const token = await findToken(step, kept)
  if (token === undefined) return
  if (!isSet) file.keep('DISCORD_TOKEN', token)
  const isWithout = await goesWithoutContent(step, token)
  if (isWithout === undefined) return
  file.set({ DISCORD_TOKEN: token, ...(isWithout && { DISCORD_MESSAGE_CONTENT: 'off' }) })
  if (isWithout)
    prompt.say('  DISCORD_MESSAGE_CONTENT=off is set. Remove it from the file when you switch the intent on.')
  prompt.say('  Discord is set. This link adds it to a server:')
  const invite = serverInvite(applicationOf(token) ?? '')
  prompt.say(`\n${invite}\n`)
  if (await prompt.confirm('Open it in the browser?', true)) step.open(invite)
}

const examine = ({ prompt, setting }: Step, token: string) =>
  prompt.during(
    'Asking Discord',
    examineDiscord({
      token,
      apiUrl: setting('DISCORD_API_URL'),
      messageContent: setting('DISCORD_MESSAGE_CONTENT') !== 'off',
    }),
  )

async function findToken(step: Step, kept: string | undefined): Promise<string | undefined> {
  const { prompt } = step
  if (kept !== undefined) {
    prompt.say('  I still have DISCORD_TOKEN from last time.')
    const [accepted] = await examine(step, kept)
    if (accepted?.ok === true) return kept
    // It may have been reset since then.
    show(prompt, accepted ? [accepted] : [])
  }
  for (;;) {
    const token = await prompt.ask('Bot token:', { secret: true })
    if (token === '') return undefined
    const [accepted] = await examine(step, token)
    if (accepted !== undefined && show(prompt, [accepted])) return token
  }
}

/** Looks for the intent after each Enter, until it is on or the person goes on without it; undefined: Discord does not tell. */
async function goesWithoutContent(step: Step, token: string): Promise<boolean | undefined> {
  for (;;) {
    const [accepted, intent] = await examine(step, token)
    if (intent === undefined) {
      show(step.prompt, accepted ? [accepted] : [])
      return undefined
    }
    if (show(step.prompt, [intent])) return false
    const answer = await step.prompt.ask('Press Enter when it is on, or type "without" to go on without it:')
    if (/^w/i.test(answer)) return true
  }
}
