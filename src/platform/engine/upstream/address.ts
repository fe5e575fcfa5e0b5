/** Where a model server is, read from `UPSTREAM_BASE_URL` as people write it. */
export interface Address {
  readonly origin: string
  /** Path in front of `/chat/completions`. */
  readonly prefix: string
  /** Goes with each request: Azure's `?api-version=…`. */
  readonly query: string
  /** The form in which it should be set. */
  readonly href: string
  /** The key goes into the header `api-key`: that of Azure's dated versions, which take it as no bearer. */
  readonly hasKeyHeader: boolean
  /** Azure's name of the model, which is in the path and is listed nowhere. */
  readonly deployment?: string
}

/** Paths of calls, for an address that was copied with one of them. */
const CALLS =
  /\/(?:chat\/completions|completions|embeddings|models|responses|audio\/(?:transcriptions|translations|speech))$/
const DEPLOYMENT = /\/openai\/deployments\/([^/]+)$/

export function readAddress(baseUrl: string): Address {
  const url = new URL(baseUrl)
  const prefix = url.pathname.replace(/\/+$/, '').replace(CALLS, '').replace(/\/+$/, '')
  return toAddress(url.origin, prefix, url.search)
}

function toAddress(origin: string, prefix: string, query: string): Address {
  const [, deployment] = DEPLOYMENT.exec(prefix) ?? []
  return {
    origin,
    prefix,
    query,
    href: `${origin}${prefix}${query}`,
    // https://learn.microsoft.com/azure/ai-foundry/openai/reference: dated versions; `/openai/v1` takes a bearer.
    hasKeyHeader: deployment !== undefined || new URLSearchParams(query).has('api-version'),
    ...(deployment === undefined ? {} : { deployment: decodeURIComponent(deployment) }),
  }
}

/** The path and query of a call. On Azure each model has a deployment of its own, named like it. */
export function pathOf({ prefix, query, deployment }: Address, path: string, model: string | undefined): string {
  const isOther = deployment !== undefined && model !== undefined && !path.startsWith('/chat/')
  const from = isOther ? prefix.replace(DEPLOYMENT, () => `/openai/deployments/${encodeURIComponent(model)}`) : prefix
  return `${from}${path}${query}`
}

/** Where the interface usually is: Ollama and vLLM, OpenRouter, Groq, Gemini, Open WebUI. */
const USUAL = ['/v1', '/api/v1', '/openai/v1', '/v1beta/openai', '/api'] as const

/** Addresses on the same host at which the interface may be instead. Empty for Azure: a deployment is where it is. */
export function otherAddresses({ origin, prefix, query, deployment }: Address): readonly Address[] {
  if (deployment !== undefined) return []
  const bases = prefix === '' || prefix === '/v1' ? [''] : [prefix, '']
  const paths = bases.flatMap((base) => USUAL.map((usual) => `${base}${usual}`)).filter((path) => path !== prefix)
  return [...new Set(paths)].map((path) => toAddress(origin, path, query))
}
