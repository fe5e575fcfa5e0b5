type Labels = Readonly<Record<string, string | number>>

/** One figure of a gauge. */
interface Sample {
  readonly labels?: Labels
  readonly value: number
}

export interface Counter {
  /** @param by default 1; 0 shows the series before anything was counted */
  inc(labels?: Labels, by?: number): void
}

export interface Distribution {
  observe(labels: Labels, value: number): void
}

/** Figures in the text format of Prometheus, version 0.0.4. Names and helps are not checked. */
export interface Registry {
  readonly counter: (name: string, help: string) => Counter
  /** @param bounds of the buckets, rising */
  readonly distribution: (name: string, help: string, bounds: readonly number[]) => Distribution
  /** @param read is called with each look; undefined: the figure cannot be told now, and is left out */
  readonly gauge: (
    name: string,
    help: string,
    read: () => number | readonly Sample[] | undefined | Promise<number | undefined>,
    /** `counter`: the value is counted elsewhere. */
    type?: 'gauge' | 'counter',
  ) => void
  print(): Promise<string>
}

const escape = (value: string | number) =>
  String(value).replace(/[\\\n"]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))

/** Labels as they are printed: `{kind="a"}`. */
const toText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** The key of a series. Pieces of answers are counted: nothing is escaped for each. */
function toKey(labels: Labels): string {
  let key = ''
  for (const name of Object.keys(labels)) key += `${name}\0${labels[name]}\0`
  return key
}

const toValue = (value: number): string => (value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value))

interface Series {
  readonly labels: Labels
  readonly counts: number[]
  sum: number
  count: number
}

function printSeries(name: string, bounds: readonly number[], { labels, counts, sum, count }: Series): string[] {
  let below = 0
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return `${name}_bucket${toText({ le: bound, ...labels })} ${below}`
  })
  return [
    ...buckets,
    `${name}_bucket${toText({ le: '+Inf', ...labels })} ${count}`,
    `${name}_sum${toText(labels)} ${toValue(sum)}`,
    `${name}_count${toText(labels)} ${count}`,
  ]
}

/** An empty registry: two in one process do not mix their figures. */
export function createRegistry(): Registry {
  const families: (() => Promise<string[]>)[] = []
  const add = (name: string, help: string, type: string, lines: () => string[] | Promise<string[]>) =>
    families.push(async () => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(await lines())])
  return {
    counter(name, help) {
      const all = new Map<string, { readonly labels: Labels; value: number }>()
      add(name, help, 'counter', () =>
        [...all.values()].map(({ labels, value }) => `${name}${toText(labels)} ${toValue(value)}`),
      )
      return {
        inc(labels = {}, by = 1) {
          const key = toKey(labels)
          const series = all.get(key)
          if (series === undefined) all.set(key, { labels, value: by })
          else series.value += by
        },
      }
    },
    distribution(name, help, bounds) {
      const all = new Map<string, Series>()
      add(name, help, 'histogram', () => [...all.values()].flatMap((series) => printSeries(name, bounds, series)))
      return {
        observe(labels, value) {
          const key = toKey(labels)
          const series = all.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 }
          all.set(key, series)
          const bucket = bounds.findIndex((bound) => value <= bound)
          if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
          series.sum += value
          series.count += 1
        },
      }
    },
    gauge(name, help, read, type = 'gauge') {
      add(name, help, type, async () => {
        const given = await read()
        const samples = typeof given === 'number' ? [{ value: given }] : (given ?? [])
        return samples.map(({ labels = {}, value }: Sample) => `${name}${toText(labels)} ${toValue(value)}`)
      })
    },
    async print() {
      const printed = await Promise.all(families.map((family) => family()))
      return `${printed.map((lines) => lines.join('\n')).join('\n\n')}\n`
    },
  }
}
