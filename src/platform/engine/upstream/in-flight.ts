import type { UpstreamCall, UpstreamHttp } from './http.ts'

/** How many requests are under way for each model: what the listing tells as its demand. */
export interface InFlight {
  of(model: string): number
  /** Counts what the function does. */
  during<Result>(model: string, run: () => Promise<Result>): Promise<Result>
  /** The same model server, its requests counted until their answers are read to the end or given up. */
  watch(http: UpstreamHttp): UpstreamHttp
}

function modelOf({ json, form }: UpstreamCall): string | undefined {
  const model = json !== undefined && 'model' in json ? json.model : form?.get('model')
  return typeof model === 'string' ? model : undefined
}

export function createInFlight(): InFlight {
  const counts = new Map<string, number>()

  function begin(model: string): () => void {
    counts.set(model, (counts.get(model) ?? 0) + 1)
    return () => {
      const left = (counts.get(model) ?? 1) - 1
      // Callers name models as they like: those without a request are forgotten.
      if (left === 0) counts.delete(model)
      else counts.set(model, left)
    }
  }

  return {
    of: (model) => counts.get(model) ?? 0,
    async during(model, run) {
      const end = begin(model)
      try {
        return await run()
      } finally {
        end()
      }
    },
    watch: (http) => ({
      ...http,
      async send(call) {
        const model = modelOf(call)
        if (model === undefined) return http.send(call)
        const end = begin(model)
        try {
          const response = await http.send(call)
          response.body.once('close', end)
          return response
        } catch (error) {
          end()
          throw error
        }
      },
    }),
  }
}
