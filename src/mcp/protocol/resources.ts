import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import { EngineError } from '#platform/engine/errors.ts'
import type { RunTool } from '../tools/run-tool.ts'
import type { Output, ToolName } from '../tools/schemas.ts'

const MAX_LISTED = 500
const MAX_COMPLETIONS = 100
const TEXT = 'text/markdown'
const FILE = { title: 'File', description: 'The beginning of a file, as a quotation', mimeType: TEXT }
const PASSAGE = { title: 'Passage', description: 'One passage of a file, as a quotation', mimeType: TEXT }

/** Tools that resources need. */
export const BEHIND_RESOURCES = ['list_collections', 'list_files', 'fetch', 'get_passage'] as const

/** Files and passages as resources, by the tools: the same rights, limits and log. */
export function addResources(server: McpServer, run: RunTool): void {
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

  const read = async (tool: 'fetch' | 'get_passage', uri: string) => {
    const { text } = await call(tool, { id: uri }).catch((error: unknown) => {
      throw error instanceof EngineError && error.code === 'not-found' ? new ResourceNotFoundError(uri) : error
    })
    return { contents: [{ uri, mimeType: TEXT, text }] }
  }

  const complete = {
    collection: async (typed: string) => {
      const words = (await collections()).map(({ id, name }) => [encodeURIComponent(id), id, name] as const)
      const wanted = typed.replace('#', '').toLowerCase()
      const found = words.filter((all) => all.some((word) => word.toLowerCase().includes(wanted)))
      return found.map(([id]) => id).slice(0, MAX_COMPLETIONS)
    },
  }
  const file = new ResourceTemplate('footbridge://knowledge/{collection}/{file}', { list, complete })
  server.registerResource('file', file, FILE, ({ href }) => read('fetch', href))
  const passage = new ResourceTemplate('footbridge://knowledge/{collection}/{file}/{passage}', {
    list: undefined,
    complete,
  })
  server.registerResource('passage', passage, PASSAGE, ({ href }) => read('get_passage', href))
}
