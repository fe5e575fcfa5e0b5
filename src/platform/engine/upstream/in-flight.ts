import { modelOf, type UpstreamHttp } from './http.ts'

/** Requests under way by model: the listing shows them as demand. */
export interface InFlight {
  of(model: string): number
  /** Counts a request while the function runs. */
  during<Result>(model: string, run: () => Promise<Result>): Promise<Result>
  /** The same model server with its requests counted until their answers are read or given up. */
  watch(http: UpstreamHttp): UpstreamHttp
}

export function createInFlight(): InFlight {
  const counts = new Map<string, number>()

  function begin(model: string): () => void {
    counts.set(model, (counts.get(model) ?? 0) + 1)
    return () => {
      const left = (counts.get(model) ?? 1) - 1
      // Callers may send any model name: a name without a running request is dropped from the map.
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
