export interface Ready {
  readonly version: string
  readonly url: string
  /** Without a password, on this machine only. */
  readonly isOpen: boolean
  /** True: connected; false: out of reach; `undefined`: not set. */
  readonly services: Readonly<Record<'Slack' | 'Discord', boolean | undefined>>
  readonly answers: string
  /** How the embedded platform searches. */
  readonly search: string | undefined
  readonly hasModel: boolean
  readonly data: string
  readonly key: string | undefined
}

const serviceState = (name: string, isConnected: boolean | undefined) => {
  if (isConnected === undefined) return `${name} is not set`
  return isConnected ? `${name} is connected` : `${name} is out of reach (Footbridge goes on trying)`
}

const CHOICES = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Three lines for the terminal: the running parts, the model that answers, the next step. */
export function readyLines(ready: Ready): readonly string[] {
  const { services, search, key } = ready
  const states = Object.entries(services).map(([name, state]) => serviceState(name, state))
  const isAlone = services.Slack === undefined && services.Discord === undefined
  const missing = [...(isAlone ? ['Slack', 'Discord'] : []), ...(ready.hasModel ? [] : ['a language model'])]
  return [
    `Footbridge ${ready.version} is ready: ${forPeople(ready.url)} (${ready.isOpen ? 'only from this machine' : 'with WEB_PASSWORD'}). ${states.join(', ')}.`,
    `Answers: ${ready.answers}.${search === undefined ? '' : ` Search: ${search}.`}`,
    [
      isAlone ? 'Next: open the page and drop a file.' : 'Next: invite Footbridge to a channel and drop a file there.',
      ...(missing.length === 0 ? [] : [`To add ${CHOICES.format(missing)}: npm run init.`]),
      `Data: ${ready.data}.`,
      ...(key === undefined ? [] : [`API key: ${key}.`]),
    ].join(' '),
  ]
}

/** An address for a browser, which cannot open 0.0.0.0. */
function forPeople(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost')
}
