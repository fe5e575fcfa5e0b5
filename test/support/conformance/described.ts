import assert from 'node:assert/strict'
import { z } from 'zod'
import { createSession, events } from './session.ts'
import type { Exchange, Target } from './target.ts'

type Schema = Readonly<Record<string, unknown>>

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>
  }
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>
}

/** The document leaves answers open for fields of later versions; this version adds nothing that it does not name. */
function seal(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(seal)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, seal(value)]))
  const isSealed = 'properties' in schema && schema['properties'] instanceof Object
  return isSealed ? { additionalProperties: false, ...inner } : inner
}

/** A schema of the document, with all that it refers to. */
function compile(description: Description, schema: Schema): z.ZodType {
  const whole = { ...schema, $defs: seal(description.components.schemas) }
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')
  return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0])
}

/** The operation that a path belongs to: the one with the fewest placeholders. */
function find(description: Description, { method, url }: Exchange): readonly [string, Operation] | undefined {
  // The document describes the operations once, under the neutral names.
  const path = new URL(url).pathname
    .replace('/arcanas/api/v1', '/collections/api/v1')
    .replace('/v1/arcana', '/v1/collection')
  const matches = Object.entries(description.paths).flatMap(([template, item]) => {
    const operation = item[method.toLowerCase()] as Operation | undefined
    const bases = (item['servers'] as { url: string }[]).map((server) => server.url.replace(/\/$/, ''))
    const pattern = template.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')
    const fits = bases.some((base) => new RegExp(`^${base}${pattern}/?$`).test(path))
    return operation !== undefined && fits ? [[template, operation] as const] : []
  })
  return matches.toSorted(([one], [other]) => one.split('{').length - other.split('{').length)[0]
}

function check(description: Description, exchange: Exchange): string | undefined {
  const { method, url, status, headers, bytes } = exchange
  const name = `${method} ${new URL(url).pathname} ${status}`
  const found = find(description, exchange)
  if (found === undefined) return status === 404 || status === 405 ? undefined : `${name} is not described`
  const [template, { responses }] = found
  const response = responses[status] ?? responses['default']
  assert.ok(response, `${name} is not described`)
  if (responses[status] !== undefined) {
    for (const header of Object.keys(response.headers ?? {})) {
      if (description.components.headers[header]?.required !== true) continue
      assert.ok(headers.has(header), `${name} lacks the header ${header}`)
    }
  }
  if (bytes.length === 0) {
    assert.equal(response.content, undefined, `${name} is empty`)
    return `${method} ${template} ${status}`
  }
  const type = (headers.get('content-type') ?? '').replace(/;.*$/, '')
  const content = response.content?.[type]
  assert.ok(content, `${name} answers ${type}, which is not described`)
  const text = new TextDecoder().decode(bytes)
  if (type === 'application/json' || type === 'text/event-stream') {
    const schema = compile(description, content.schema)
    const bodies = type === 'application/json' ? [text] : events({ text }).filter((one) => one !== '[DONE]')
    for (const body of bodies) {
      const json = JSON.parse(body) as { object?: string }
      if (type === 'text/event-stream' && json.object === 'error') continue
      const parsed = schema.safeParse(json)
      assert.ok(parsed.success, `${name}: ${parsed.error?.message}: ${body.slice(0, 300)}`)
    }
  }
  return `${method} ${template} ${status}`
}

/**
 * Applies the OpenAPI document to everything that the server answered: path, status, headers and body of each.
 *
 * @returns `METHOD path status` of each answer
 */
export async function checkDescribed(target: Target): Promise<ReadonlySet<string>> {
  const root = target.baseUrl.replace(/\/v1$/, '')
  const description = (await (await fetch(`${root}/openapi.json`)).json()) as Description
  const faults: string[] = []
  const seen = new Set<string>()
  for (const exchange of target.exchanges) {
    try {
      const found = check(description, exchange)
      if (found?.endsWith('is not described') === true) faults.push(found)
      else if (found !== undefined) seen.add(found)
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error))
    }
  }
  assert.deepEqual([...new Set(faults)], [])
  return seen
}

/** Every successful answer that the document knows was seen. */
export async function checkAllSeen(target: Target): Promise<void> {
  const session = createSession(target)
  await session.call('GET', `${session.root}/metrics`)
  await session.call('GET', `${session.root}/health`, { credential: 'none' })
  const root = target.baseUrl.replace(/\/v1$/, '')
  const description = (await (await fetch(`${root}/openapi.json`)).json()) as Description
  const seen = await checkDescribed(target)
  const described = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === 'servers'
        ? []
        : Object.keys((operation as Operation).responses)
            .filter((status) => status.startsWith('2'))
            .map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  )
  assert.ok(described.length > 20)
  assert.deepEqual(
    described.filter((one) => !seen.has(one)),
    [],
  )
}
