import { findModels, tryModel } from '#platform/engine/upstream/examine.ts'
import type { Step } from './step.ts'

/** Where model servers of this machine usually listen. */
export const USUAL_SERVERS = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
] as const

/** A model server that answered. */
export interface FoundServer {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly models: readonly string[]
}

/** Names of models that do not chat. */
const OTHER_MODEL = /embed|\bbge\b|\be5\b|minilm|rerank|whisper|\btts\b|transcri|moderation|dall-e|image/i
export const isEmbedding = (model: string) => /embed|\bbge\b|\be5\b|minilm/i.test(model)
const PROBE_MS = 1500
const MAX_SHOWN = 30

/** Sets a model server and its model, once the model has answered. */
export async function chooseModel(
  step: Step,
  usual: readonly { readonly name: string; readonly baseUrl: string }[] = USUAL_SERVERS,
): Promise<FoundServer | undefined> {
  const { prompt, file, setting } = step
  const known = setting('UPSTREAM_BASE_URL')
  if (known !== undefined && !(await prompt.confirm(`A model server is set (${known}). Set another one?`, false)))
    return prompt.during(
      'Asking for its models',
      findModels({ baseUrl: known, apiKey: setting('UPSTREAM_API_KEY') }).catch(() => undefined),
    )
  const server = await chooseServer(step, usual)
  if (server === undefined) return undefined
  const model = await chooseAnswering(step, server)
  if (model === undefined) return undefined
  // A key of an earlier server must not go to another one.
  const { apiKey = '' } = server
  const hasKey = apiKey !== '' || setting('UPSTREAM_API_KEY') !== undefined
  if (hasKey) file.set({ UPSTREAM_API_KEY: apiKey })
  file.set({ UPSTREAM_BASE_URL: server.baseUrl, UPSTREAM_CHAT_MODEL: model })
  prompt.say(`  Answers are written by ${model}.`)
  return server
}

async function chooseServer(
  step: Step,
  usual: readonly { readonly name: string; readonly baseUrl: string }[],
): Promise<FoundServer | undefined> {
  const { prompt } = step
  const looked = await prompt.during(
    `Looking for ${usual.map(({ name }) => name).join(', ')} on this machine`,
    Promise.all(
      usual.map(async ({ name, baseUrl }) => {
        const found = await findModels({ baseUrl }, PROBE_MS).catch(() => undefined)
        return found === undefined ? [] : [{ name, found }]
      }),
    ),
  )
  const servers = looked.flat()
  if (servers.length === 0) prompt.say('  None of them is running.')
  const lines = servers.map(
    ({ name, found }) =>
      `${name} at ${found.baseUrl} (${found.models.length} ${found.models.length === 1 ? 'model' : 'models'})`,
  )
  const chosen = await prompt.choose('Which server has the language model that writes the answers?', [
    ...lines,
    servers.length === 0 ? 'a server by its address and key' : 'another one: address and key',
  ])
  if (chosen === undefined) return undefined
  return servers[chosen]?.found ?? askServer(step)
}

/** Any OpenAI-compatible server, tried until it lists its models. */
async function askServer({ prompt }: Step): Promise<FoundServer | undefined> {
  for (;;) {
    const address = await prompt.ask('Address (such as https://api.openai.com/v1):')
    if (address === '') return undefined
    const baseUrl = /^https?:\/\//.test(address) ? address : `http://${address}`
    if (!URL.canParse(baseUrl)) {
      prompt.say('  ✗ That is not an address. To skip the model, press Enter alone.')
      continue
    }
    const apiKey = (await prompt.ask('Key (Enter if it needs none):', { secret: true })) || undefined
    try {
      const found = await prompt.during('Asking for its models', findModels({ baseUrl, apiKey }))
      if (found.baseUrl !== baseUrl) prompt.say(`  It answers at ${found.baseUrl}.`)
      return { ...found, apiKey }
    } catch (error) {
      prompt.say(`  ✗ ${toSentence(error)}`)
    }
  }
}

/** @returns a model that has answered; `undefined`: skipped */
async function chooseAnswering({ prompt }: Step, server: FoundServer): Promise<string | undefined> {
  const chats = server.models.filter((model) => !OTHER_MODEL.test(model))
  const models = (chats.length === 0 ? server.models : chats).slice(0, MAX_SHOWN)
  for (;;) {
    const isListed = models.length > 0
    const model = isListed
      ? models[(await prompt.choose('Which model?', models)) ?? -1]
      : await prompt.ask('Name of the model (Enter skips):')
    if (model === undefined || model === '') return undefined
    try {
      const what = `Asking ${model} for a word (the first answer may take a minute)`
      await prompt.during(what, tryModel({ ...server, chatModel: model }))
      return model
    } catch (error) {
      prompt.say(`  ✗ ${toSentence(error)}`)
    }
  }
}

/** Ctrl-C goes on up. */
function toSentence(error: unknown): string {
  if (error instanceof Error && error.name === 'Interrupted') throw error
  return error instanceof Error ? error.message : String(error)
}
