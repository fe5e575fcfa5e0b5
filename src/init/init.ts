import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connectDiscord } from './discord-step.ts'
import { offerMeaning } from './meaning-step.ts'
import { chooseModel, USUAL_SERVERS } from './model-step.ts'
import { openSettingsFile } from './settings-file.ts'
import { connectSlack, newAppLink } from './slack-step.ts'
import type { Step } from './step.ts'
import { Interrupted, openPrompt } from './terminal-prompt.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface InitOptions {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Path of `.env`. */
  readonly path: string
  readonly environment: Environment
  /** Default: the browser of this machine. */
  readonly open?: (url: string) => void
  /** Default: where model servers of this machine usually listen. */
  readonly servers?: readonly { readonly name: string; readonly baseUrl: string }[]
  /** Default: downloads the embedding model and its packages. */
  readonly makeReady?: (dataDir: string) => Promise<void>
}

export interface InitOutcome {
  /** The step that remains. */
  readonly next: 'start' | 'nothing' | 'interrupted'
  /** Settings that were written. */
  readonly changes: Readonly<Record<string, string>>
}

const STEPS = ['Slack', 'Discord', 'Language model', 'Search by meaning'] as const

/** Asks step by step. The result of a step is in the file before the next one begins. */
export async function runInit(options: InitOptions): Promise<InitOutcome> {
  const { environment, open = openInBrowser } = options
  const prompt = openPrompt(options.input, options.output)
  const file = openSettingsFile(options.path)
  const setting = (name: string) => (file.get(name) ?? environment[name])?.trim() || undefined
  const step: Step = { prompt, file, setting, open }
  const title = (index: number) => prompt.say(`\n${index + 1} of ${STEPS.length}  ${STEPS[index] ?? ''}`)
  try {
    prompt.say(`Enter skips a step. Ctrl-C stops; the steps that are done stay in ${options.path}.`)
    title(0)
    await connectSlack(step)
    title(1)
    await connectDiscord(step)
    title(2)
    if (setting('PLATFORM_BASE_URL') !== undefined) prompt.say('  PLATFORM_BASE_URL is set: its platform answers.')
    else {
      const server = await chooseModel(step, options.servers ?? USUAL_SERVERS)
      title(3)
      await offerMeaning(step, server, options.makeReady)
    }
    prompt.say('')
    const next = (await prompt.confirm('Start Footbridge now?', true)) ? 'start' : 'nothing'
    return { next, changes: file.changes() }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    prompt.say(
      `\nStopped. ${existsSync(options.path) ? `Your settings so far are in ${options.path}` : 'Nothing was set'}. npm run init goes on from there.`,
    )
    return { next: 'interrupted', changes: file.changes() }
  } finally {
    prompt.close()
  }
}

/** The text without a terminal: the settings, and where they come from. */
export const withoutTerminal = (): string =>
  `npm run init asks questions, and needs a terminal for that. Set these variables instead, in the environment or in .env:
  SLACK_BOT_TOKEN, SLACK_APP_TOKEN             tokens of the Slack app, which the link below creates
  DISCORD_TOKEN                                token of the bot; npm run manifest discord prints its invite link
  UPSTREAM_BASE_URL, UPSTREAM_CHAT_MODEL       a language model, such as http://127.0.0.1:11434/v1 and llama3.3
  UPSTREAM_API_KEY                             its key, if it needs one
  EMBEDDING_MODEL=multilingual-e5-small        search by meaning on this machine
Then npm run doctor checks them.

The Slack app: ${newAppLink()}`

/** A machine without a browser does nothing: the address is in the terminal as well. */
function openInBrowser(url: string): void {
  const [program = '', ...words] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined).unref()
}
