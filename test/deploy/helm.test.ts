/** The Helm chart with the values of each form, against the schemas of Kubernetes. Helm itself is not here. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTING_NAMES } from '#src/config.ts'
import { renderChart } from '../support/helm.ts'

const FOLDER = fileURLToPath(new URL('../../deploy/helm/', import.meta.url))
const read = (path: string) => readFileSync(`${FOLDER}${path}`, 'utf8')
const templates = Object.fromEntries(readdirSync(`${FOLDER}templates`).map((name) => [name, read(`templates/${name}`)]))
const chart = parse(read('Chart.yaml')) as { readonly version: string; readonly appVersion: string }
type Values = Readonly<Record<string, unknown>>
const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values over the defaults, as Helm merges them. */
const merge = (one: Values, other: Values): Values =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => {
      const [before, after] = [one[key], other[key]]
      return [key, isMap(before) && isMap(after) ? merge(before, after) : key in other ? after : before]
    }),
  )

interface Manifest {
  readonly kind: string
  readonly spec: Record<string, unknown>
  readonly stringData?: Readonly<Record<string, string>>
}

function render(values: Values): readonly Manifest[] {
  const defaults = parse(read('values.yaml')) as Values
  const texts = renderChart({
    templates,
    values: merge(defaults, values),
    release: 'ask',
    appVersion: chart.appVersion,
  })
  return Object.values(texts).flatMap((text) => (text.trim() === '' ? [] : [parse(text) as Manifest]))
}

const MODELS = { StatefulSet, Ingress, NetworkPolicy, PodDisruptionBudget, Secret, Service }
/** @throws {Error} where it is none of the form that Kubernetes takes */
function validate(manifest: Manifest): void {
  const Model = MODELS[manifest.kind as keyof typeof MODELS]
  new Model(manifest as never).validate()
}

const SMALL = { secret: { values: { WEB_PASSWORD: 'correct horse', SLACK_BOT_TOKEN: 'xoxb-1' } } }
const LARGE = {
  replicas: 3,
  settings: { PUBLIC_URL: 'https://ask.example.org', DISCORD_SHARDS: 'auto', MAX_FILE_MB: 50 },
  secret: {
    values: { WEB_PASSWORD: 'correct: "horse"', DATABASE_URL: 'postgres://db/footbridge', PLATFORM_API_KEY: 'k' },
  },
  storage: { className: 'fast' },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'ask.example.org',
    tlsSecret: 'ask-tls',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '110m' },
  },
  networkPolicy: { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }] },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'spot', operator: 'Exists' }],
  pullSecrets: [{ name: 'registry' }],
}
const OWN_SECRET = { replicas: 2, secret: { existing: 'mine' }, networkPolicy: { enabled: false } }

describe('the chart', () => {
  it.each([
    ['one process', SMALL, ['Secret', 'Service', 'StatefulSet', 'NetworkPolicy']],
    [
      'three on a PostgreSQL',
      LARGE,
      ['Secret', 'Service', 'StatefulSet', 'NetworkPolicy', 'Ingress', 'PodDisruptionBudget'],
    ],
    ['a secret of its own', OWN_SECRET, ['Service', 'StatefulSet', 'PodDisruptionBudget']],
  ])('gives Kubernetes what it takes: %s', (_, values, kinds) => {
    const manifests = render(values)
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted())
    for (const manifest of manifests) expect(() => validate(manifest)).not.toThrow()
  })

  it('would not pass with a field that Kubernetes does not have in that form', () => {
    const [set] = render(SMALL).filter(({ kind }) => kind === 'StatefulSet')
    if (set === undefined) throw new Error('no StatefulSet')
    expect(() => validate({ ...set, spec: { ...set.spec, replicas: 'three' } })).toThrow(/replicas/)
  })

  it('says what is missing', () => {
    expect(() => render({})).toThrow('Set secret.values.WEB_PASSWORD')
    expect(() => render({ ...SMALL, replicas: 2 })).toThrow('Several replicas share a PostgreSQL')
    expect(() => render({ ...SMALL, ingress: { enabled: true } })).toThrow('Set ingress.host')
  })

  it('runs as compose.yaml does: no root, read-only, no capabilities, data on a volume, asked at /health', () => {
    const set = render(LARGE).find(({ kind }) => kind === 'StatefulSet')
    expect(set?.spec).toMatchObject({
      replicas: 3,
      template: {
        spec: {
          securityContext: { runAsNonRoot: true, runAsUser: 1000 },
          automountServiceAccountToken: false,
          nodeSelector: { disk: 'ssd' },
          containers: [
            {
              image: `footbridge:${chart.appVersion}`,
              securityContext: {
                readOnlyRootFilesystem: true,
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
              },
              livenessProbe: { httpGet: { path: '/health' } },
              readinessProbe: { httpGet: { path: '/readyz' } },
              resources: { limits: { memory: '2Gi' } },
            },
          ],
        },
      },
      volumeClaimTemplates: [{ spec: { storageClassName: 'fast' } }],
    })
  })

  it('passes settings and secrets on as they are, and names only settings that there are', () => {
    const manifests = render(LARGE)
    expect(manifests.find(({ kind }) => kind === 'Secret')?.stringData).toEqual(LARGE.secret.values)
    const text = JSON.stringify(manifests)
    expect(text).toContain('{"name":"MAX_FILE_MB","value":"50"}')
    const named = [...read('values.yaml').matchAll(/\b(?:[A-Z]+_)+[A-Z]+\b/g)].map(([name]) => name)
    expect(named.filter((name) => !SETTING_NAMES.includes(name))).toEqual([])
  })

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(`${FOLDER}../../package.json`, 'utf8')) as { readonly version: string }
    expect(chart).toMatchObject({ version, appVersion: version })
  })
})

it.each(['{{ lookup "v1" }}', '{{ .Values.a | upper }}', '{{ if .Values.a }}x', '{{ $x }}'])(
  'the renderer refuses what it does not know: %s',
  (text) => {
    expect(() => renderChart({ templates: { a: text }, values: { a: 1 }, release: 'r', appVersion: '1' })).toThrow(
      /Not understood|No (?:function|variable)|missing/,
    )
  },
)
