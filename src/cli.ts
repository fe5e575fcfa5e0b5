import { closestNames } from '#lib/closest-names.ts'
import { environment, readConfig } from './config.ts'
import { keepFilesPrivate, onSignals, say, sayWhy, VERSION, warn } from './start/terminal.ts'

const USAGE = `Usage: footbridge [command]

  init             set up Slack, Discord, a language model and search by meaning: asks, tries the answers, writes .env
  start            run Footbridge: page, chat services and platform. The same without a command
  platform         run the embedded platform alone, without page and chat services
  mcp              let one agent read the collections of the data folder, over standard input and output
  doctor           check settings, data folder, platform and tokens, ask a test question, and say what to fix
  keys             make, list, expire, revoke and limit keys of the embedded platform
  jobs             list, show, retry and drop jobs that failed or wait
  move             copy all data to PostgreSQL (--to postgres://…), or from DATABASE_URL to a folder (--to <folder>)
  feedback         write the answers that people judged as a file of test questions (golden set)
  eval             ask the test questions, and compare with last time
  manifest slack   print the manifest that makes the Slack app. With --http https://…: events over HTTP.
                   With --many https://…: several workspaces, which install the app there
  manifest discord print the links that add the Discord bot. Takes an application id, or that of DISCORD_TOKEN

  --help           this text; after a command, how to use it
  --version        the version

doctor, keys, jobs and feedback also work while Footbridge runs.
Footbridge reads its settings from the environment and from the file .env in this folder. Its data is in DATA_DIR (./data).
In a checkout, write npm run <command> -- in place of footbridge <command>, and npm start.`

/** Commands whose usage is more than their lines above. */
const OWN_USAGE: Readonly<Record<string, () => Promise<{ readonly USAGE: string }>>> = {
  eval: () => import('#eval/run.ts'),
  feedback: () => import('#eval/feedback.ts'),
  jobs: () => import('#operate/jobs-command.ts'),
  keys: () => import('#keys/command.ts'),
}

const COMMANDS: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  init: initialize,
  start: async () => (await import('./main.ts')).start(),
  platform: servePlatform,
  mcp: serveAgent,
  doctor: async () => {
    const { diagnose } = await import('#operate/doctor.ts')
    const config = readConfig()
    for (const doubt of config.doubts) say(`?    ${doubt}`)
    const findings = await diagnose(config)
    for (const { ok, text, isUnset } of findings) say(`${ok ? (isUnset ? '–   ' : 'ok  ') : 'FAIL'} ${text}`)
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1
  },
  keys: async (words) => {
    const config = readConfig(undefined, { page: false })
    if (config.PLATFORM_BASE_URL !== undefined) {
      throw new Error(`PLATFORM_BASE_URL names a hosted platform: make its keys there (${config.PLATFORM_BASE_URL}).`)
    }
    const { runKeys } = await import('#keys/command.ts')
    say(await runKeys(config.DATA_DIR, words, Date.now, config.DATABASE_URL))
  },
  jobs: async (words) => {
    const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = readConfig(undefined, { page: false })
    const { runJobs } = await import('#operate/jobs-command.ts')
    const { text, failed } = await runJobs({ dataDir, databaseUrl }, words)
    say(text)
    if (failed === true) process.exitCode = 1
  },
  move: async (words) => {
    const config = readConfig(undefined, { page: false })
    const to = words[0] === '--to' ? words[1] : undefined
    if (to === undefined)
      throw new Error('Name the target: --to postgres://user:password@host/database, or --to <folder>.')
    const isBack = !/^postgres(?:ql)?:/.test(to)
    if (isBack && config.DATABASE_URL === undefined)
      throw new Error('Set DATABASE_URL to the database from which the data is copied.')
    const { move } = await import('./move/move.ts')
    const { lines, same } = await move(isBack ? (config.DATABASE_URL ?? '') : config.DATA_DIR, to)
    say(lines.join('\n'))
    if (!same) process.exitCode = 1
  },
  feedback: async (words) => {
    const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = readConfig(undefined, { page: false })
    const { runFeedback } = await import('#eval/feedback.ts')
    say(await runFeedback({ dataDir, databaseUrl }, words))
  },
  eval: async (words) => {
    const config = readConfig(undefined, { page: false })
    const { openExamined, runEval } = await import('#eval/run.ts')
    const { text, failed } = await runEval(words, () => openExamined(config))
    say(text)
    if (failed) process.exitCode = 1
  },
  manifest: async ([service, ...words]) => {
    if (service === 'discord') return inviteDiscord(words[0])
    if (service !== 'slack') throw new Error('Name the service: manifest slack, or manifest discord.')
    const [flag, url] = words
    const isKnown = flag === undefined || flag === '--http' || flag === '--many'
    if (!isKnown || (flag !== undefined && !/^https:\/\/[^\s/]+(?:\/[^\s]*)?$/.test(url ?? '')))
      throw new Error(
        'Write the address after --http (or --many): manifest slack --http https://footbridge.example.org',
      )
    const { slackManifest } = await import('#adapters/slack/manifest.ts')
    say(JSON.stringify(slackManifest({ url: url?.replace(/\/+$/, ''), many: flag === '--many' }), undefined, 2))
  },
}

async function initialize(): Promise<void> {
  const { runInit, withoutTerminal } = await import('./init/init.ts')
  const { stdin: input, stdout: output } = process
  if (!input.isTTY || !output.isTTY) throw new Error(withoutTerminal())
  const { next, changes } = await runInit({ input, output, path: '.env', environment: environment() })
  if (next === 'interrupted') process.exitCode = 130
  if (next === 'start') return (await import('./main.ts')).start(readConfig(environment(changes)))
}

async function inviteDiscord(id: string | undefined): Promise<void> {
  const { applicationOf, discordInvite } = await import('#adapters/discord/set-up.ts')
  const application = id ?? applicationOf(readConfig(undefined, { page: false }).DISCORD_TOKEN)
  if (application === undefined || !/^\d{15,22}$/.test(application))
    throw new Error(
      'Set DISCORD_TOKEN, or write the application id (on the page General Information): manifest discord 1234567890123456789',
    )
  say(discordInvite(application))
}

async function servePlatform(): Promise<void> {
  const [
    { openEmbeddedPlatform },
    { isMcpPath },
    { openTracing },
    { createLog },
    { logDestination },
    { listenWithFront },
  ] = await Promise.all([
    import('./embedded.ts'),
    import('./mcp/handler.ts'),
    import('#operate/tracing.ts'),
    import('#start/log.ts'),
    import('#start/log-lines.ts'),
    import('#front/front.ts'),
  ])
  const config = readConfig(undefined, { page: false })
  for (const doubt of config.doubts) warn(doubt)
  const tracing = openTracing(config, { version: VERSION, warn: (message) => log.warn({ part: 'traces' }, message) })
  const log = createLog(config.LOG_LEVEL, logDestination(config.LOG_FORMAT), tracing?.logFields)
  const platform = await openEmbeddedPlatform(config, log, 'anybody', { trace: tracing })
  const server = await listenWithFront({
    host: config.HOST,
    port: config.PORT,
    version: VERSION,
    log: log.child({ part: 'front' }),
    fetch: (request) =>
      isMcpPath(new URL(request.url).pathname) ? platform.mcp.fetch(request) : platform.fetch(request),
  }).catch(async (error: unknown) => {
    await platform.close()
    throw error
  })
  say(`Footbridge platform ${VERSION} is ready: ${new URL('/v1', server.url).href}`)
  const { answers, search, key } = platform.about
  say(`Answers: ${answers}. Search: ${search}.`)
  const data = config.DATABASE_URL === undefined ? config.DATA_DIR : 'PostgreSQL (DATABASE_URL)'
  say(`API key: ${key}. Data: ${data}.`)
  onSignals(async () => {
    await server.close()
    await platform.close()
    await tracing?.close()
  })
}

/** Standard output belongs to the protocol; the log goes to standard error. */
async function serveAgent(): Promise<void> {
  const config = readConfig(undefined, { page: false })
  if (config.PLATFORM_BASE_URL !== undefined)
    throw new Error(
      'PLATFORM_BASE_URL names a hosted platform, which agents can’t search. Remove it to let them read the embedded platform.',
    )
  const [{ openEmbeddedPlatform }, { createLog }] = await Promise.all([
    import('./embedded.ts'),
    import('#start/log.ts'),
  ])
  const platform = await openEmbeddedPlatform(config, createLog(config.LOG_LEVEL, process.stderr), 'anybody')
  await platform.mcp.serveStdio()
  await platform.close()
}

/** Ends with 2 when there is no such command. */
async function main(): Promise<void> {
  const [name = 'start', ...words] = process.argv.slice(2)
  if (['--help', '-h', 'help'].includes(name)) return say(USAGE)
  if (['--version', '-v'].includes(name)) return say(VERSION)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    const [near] = closestNames(name, Object.keys(COMMANDS))
    warn(`There is no command ${name}.${near ? ` Did you mean ${near.name}?` : ''} footbridge --help lists all.`)
    process.exitCode = 2
    return
  }
  if (words.some((word) => word === '--help' || word === '-h')) return say(await usageOf(name))
  keepFilesPrivate()
  await command(words)
}

async function usageOf(name: string): Promise<string> {
  const own = await OWN_USAGE[name]?.()
  if (own !== undefined) return own.USAGE.trimEnd()
  const lines = USAGE.split('\n')
  const isAbout = (line: string) => line.startsWith(`  ${name} `)
  const about = lines.flatMap((line, index) => {
    if (!isAbout(line)) return []
    const rest = lines.slice(index + 1)
    const end = rest.findIndex((next) => !next.startsWith('       '))
    return [line, ...rest.slice(0, end)]
  })
  return [`Usage: footbridge ${name}`, ...about].join('\n')
}

await main().catch(sayWhy)
