/** What an import leads to: a part of Node, a package, a file of the repository, or nothing. */
export type Kind = 'core' | 'package' | 'development' | 'file' | 'nowhere'

/** An import is forbidden where both sides fit. Patterns of paths; `$1` in `to` is the first group of `from`. */
export interface Rule {
  readonly name: string
  readonly comment: string
  readonly from: { readonly path?: string; readonly pathNot?: readonly string[]; readonly isOrphan?: true }
  readonly to: {
    readonly path?: string
    readonly pathNot?: readonly string[]
    readonly kinds?: readonly Kind[]
    readonly kindsNot?: readonly Kind[]
    readonly isCircular?: true
  }
}

const only = (name: string, sdk: string, home: string): Rule => ({
  name,
  comment: `${sdk} may be imported only from ${home}`,
  from: { path: '^(src|adapters)/', pathNot: [home] },
  to: { path: `node_modules/${sdk}` },
})
const room = (name: string, comment: string, path: string, pathNot: readonly string[]): Rule => ({
  name,
  comment,
  from: { path },
  to: { path: '^(src|adapters)/', pathNot: ['^src/lib/', ...pathNot] },
})
/** A room that needs no package. */
const pure = (name: string, comment: string, path: string, pathNot: readonly string[]): Rule => ({
  name,
  comment,
  from: { path },
  to: { pathNot, kindsNot: ['core'] },
})

/** The folders of the bridge, lowest first: each imports only itself and those before it. */
const BRIDGE_FOLDERS = [
  'port',
  'texts',
  'delivery',
  'channels',
  'files',
  'references',
  'answers',
  'voice',
  'features',
  'jobs',
]
const bridgeFolder = (folder: string, index: number): Rule => ({
  name: `bridge-order-${folder}`,
  comment: `src/bridge/${folder} imports only itself and the folders before it`,
  from: { path: `^src/bridge/${folder}/` },
  to: { path: `^src/bridge/(${[...BRIDGE_FOLDERS.slice(index + 1), 'bridge[.]ts'].join('|')})` },
})

/** The import rule of the house (docs/adr/0001): each room sees only the rooms below it. */
export const RULES: readonly Rule[] = [
  ...BRIDGE_FOLDERS.map(bridgeFolder),
  {
    name: 'lib-is-pure',
    comment:
      'src/lib is what anybody may import: it imports Node and itself. Only decode.ts needs tables of encodings.',
    from: { path: '^src/lib/', pathNot: ['^src/lib/decode[.]ts$'] },
    to: { pathNot: ['^src/lib/'], kindsNot: ['core'] },
  },
  pure(
    'lexicon-knows-nobody',
    'The words of languages are for everybody: src/lexicon imports itself and src/lib.',
    '^src/lexicon/',
    ['^src/(lexicon|lib)/'],
  ),
  only('encodings-live-in-lib', '(?:iconv-lite|jschardet)', '^src/lib/decode[.]ts$'),
  pure(
    'bridge-is-pure',
    'The bridge knows no chat service, no HTTP and no package: give it what it needs through a port.',
    '^src/bridge/',
    ['^src/(bridge|lexicon|lib)/'],
  ),
  room(
    'adapter-sees-only-the-port',
    'An adapter imports itself, its SDK and the port files of the bridge.',
    '^adapters/([^/]+)/',
    ['^adapters/($1|shared)/', '^src/bridge/port/', '^src/lexicon/', '^src/sql/'],
  ),
  pure(
    'shared-knows-no-service',
    'adapters/shared is for every chat service: no SDK, no package, no adapter in it.',
    '^adapters/shared/',
    ['^adapters/shared/', '^src/(lib|bridge/port)/'],
  ),
  {
    name: 'outbound-knows-no-inbound',
    comment: 'What an adapter sends does not depend on how it reads.',
    from: { path: '^adapters/([^/]+)/outbound/' },
    to: { path: '^adapters/$1/inbound/' },
  },
  {
    name: 'platform-knows-no-bridge',
    comment: 'The platform is a service of its own; its client alone implements the port of the bridge.',
    from: { path: '^src/platform/' },
    to: { path: '^(src/bridge|adapters)/', pathNot: ['^src/bridge/port/platform[.]ts$'] },
  },
  room('wire-knows-nobody', 'The contract imports nothing.', '^src/platform/wire/', ['^src/platform/wire/']),
  room('client-sees-only-wire', 'The client shares only the contract with the server.', '^src/platform/client/', [
    '^src/platform/(client|wire)/',
    '^src/bridge/port/platform[.]ts$',
    '^src/lexicon/',
  ]),
  room('engine-sees-only-wire', 'The engine knows no HTTP server and no client.', '^src/platform/engine/', [
    '^src/lexicon/',
    '^src/platform/(engine|wire)/',
    '^src/sql/',
  ]),
  room('sql-knows-nobody', 'src/sql knows how databases are reached, and no table.', '^src/sql/', ['^src/sql/']),
  {
    name: 'sql-in-stores',
    comment: 'Of an adapter, only what stores something knows a database.',
    from: { path: '^adapters/', pathNot: ['^adapters/web/server/store/'] },
    to: { path: '^src/sql/' },
  },
  room('server-sees-wire-and-engine', 'The server speaks the contract over the engine.', '^src/platform/server/', [
    '^src/platform/(server|wire|engine)/',
  ]),
  room('store-sees-its-port', 'The store implements the port of the bridge, nothing else of it.', '^src/store/', [
    '^src/store/',
    '^src/bridge/port/',
    '^src/sql/',
  ]),
  room('mcp-sees-ports-and-engine', 'MCP reads the engine, and asks the bridge through its port.', '^src/mcp/', [
    '^src/mcp/',
    '^src/bridge/port/',
    '^src/platform/(engine|wire)/',
  ]),
  {
    name: 'mcp-is-composed-only',
    comment: 'Nothing needs src/mcp but what puts the parts together.',
    from: { path: '^(src|adapters)/', pathNot: ['^src/(mcp/|main[.]ts|cli[.]ts|embedded[.]ts)'] },
    to: { path: '^src/mcp/' },
  },
  only('mcp-sdk', '@modelcontextprotocol/', '^src/mcp/protocol/'),
  {
    name: 'only-main-composes',
    comment: 'Only the entry points may import the composition root.',
    from: { path: '^(src|adapters)/', pathNot: ['^src/(main|cli)[.]ts$'] },
    to: { path: '^src/main[.]ts$' },
  },
  only('slack-sdk', '@slack/', '^adapters/slack/'),
  only('discord-sdk', '(discord[.]js|@discordjs|discord-api-types)/', '^adapters/discord/'),
  only('undici', 'undici/', '^(src/platform/(client|engine)/|src/mcp/oauth/public-fetch[.]ts$|adapters/slack/calls/)'),
  only('sse', 'eventsource-parser/', '^src/platform/(client|engine)/'),
  only('pino', 'pino/', '^src/start/log[.]ts$'),
  only('pg', '(@types/)?pg/', '^src/sql/postgres/'),
  {
    name: 'http-only-in-server',
    comment: 'One room listens; everything else is a fetch(Request) function or a client.',
    from: { path: '^(src|adapters)/', pathNot: ['^src/platform/server/'] },
    to: { path: '^(node:)?https?$', kinds: ['core'] },
  },
  {
    name: 'no-test-in-product',
    comment: 'The product runs without its tests.',
    from: { path: '^(src|adapters)/' },
    to: { path: '^test/' },
  },
  { name: 'no-circular', comment: 'Files that import each other are one file.', from: {}, to: { isCircular: true } },
  { name: 'no-unresolvable', comment: 'There is no such file or package.', from: {}, to: { kinds: ['nowhere'] } },
  {
    name: 'no-orphans',
    comment: 'A file that imports nothing and is imported by nobody is started by its name, or left over.',
    from: {
      isOrphan: true,
      // The script of the page at /docs is read by browsers.
      pathNot: [
        '[.]d[.]ts$',
        '^src/(main|cli)[.]ts$|^src/start/(env-file[.]ts|compile-cache[.]js|check-node[.]js|remove-unused[.]js)$',
        '^adapters/web/page/',
        '^src/platform/server/openapi/page[.]js$',
      ],
    },
    to: {},
  },
  {
    name: 'no-dev-dep',
    comment: 'What runs imports no package of the development. The page is bundled before it is published.',
    from: { path: '^(src|adapters)/', pathNot: ['^(adapters/web/(page/|server/bundle[.]ts$)|src/publish/)'] },
    to: { kinds: ['development'] },
  },
]
