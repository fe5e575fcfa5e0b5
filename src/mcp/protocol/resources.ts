import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { EngineError } from '#platform/engine/errors.ts'
import { parseAddress } from '../tools/address.ts'
import type { RunTool } from '../tools/run-tool.ts'
import type { Output, ToolName } from '../tools/schemas.ts'

const MAX_LISTED = 500
const MAX_COMPLETIONS = 100
const TEXT = 'text/markdown'
const FILE_URI = 'footbridge://knowledge/{collection}/{file}'
const FILE = { title: 'File', description: 'The beginning of a file, as a quotation', mimeType: TEXT }
const PASSAGE = { title: 'Passage', description: 'One passage of a file, as a quotation', mimeType: TEXT }
const TEMPLATES = [
  { name: 'file', uriTemplate: FILE_URI, ...FILE },
  { name: 'passage', uriTemplate: `${FILE_URI}/{passage}`, ...PASSAGE },
]

/** Tools that resources need. */
export const BEHIND_RESOURCES = ['list_collections', 'list_files', 'fetch', 'get_passage'] as const

/** Files and passages as resources, by the tools: the same rights, limits and log. */
export function addResources(server: Server, run: RunTool): void {
  const call = async <Name extends ToolName>(name: Name, input: object, isPart = false) =>
    (await run(name, input, { signal: new AbortController().signal, onText: () => {}, isPart })) as Output<Name>
  const collections = async () => (await call('list_collections', {})).collections

  async function list() {
    const resources: { uri: string; name: string; title: string; mimeType: string; size: number }[] = []
    for (const { id, name } of await collections()) {
      // oxlint-disable-next-line no-await-in-loop -- the list ends when it is long enough
      const { files } = await call('list_files', { collection: id }, true)
      for (const { id: uri, name: file, size_bytes: size } of files)
        resources.push({ uri, name: file, title: `${file} (${name})`, mimeType: TEXT, size })
      if (resources.length >= MAX_LISTED) break
    }
    return { resources: resources.slice(0, MAX_LISTED) }
  }

  async function read(uri: string) {
    const tool = parseAddress(uri)?.place === undefined ? 'fetch' : 'get_passage'
    const { text } = await call(tool, { id: uri }).catch((error: unknown) => {
      throw error instanceof EngineError && error.code === 'not-found' ? new ResourceNotFoundError(uri) : error
    })
    return { contents: [{ uri, mimeType: TEXT, text }] }
  }

  async function complete(typed: string) {
    const wanted = typed.replace('#', '').toLowerCase()
    const words = (await collections()).map(({ id, name }) => [encodeURIComponent(id), id, name] as const)
    return words.filter((all) => all.some((word) => word.toLowerCase().includes(wanted))).map(([id]) => id)
  }

  server.setRequestHandler('resources/list', list)
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params }) => read(params.uri))
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const isKnown = ref.type === 'ref/resource' && TEMPLATES.some(({ uriTemplate }) => uriTemplate === ref.uri)
    if (!isKnown) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Only the templates of resources complete.')
    const found = argument.name === 'collection' ? await complete(argument.value) : []
    const values = found.slice(0, MAX_COMPLETIONS)
    return { completion: { values, total: found.length, hasMore: found.length > values.length } }
  })
}
