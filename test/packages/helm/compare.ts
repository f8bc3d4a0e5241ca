import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { renderChart } from '../../fixtures/helm/render-chart.ts'

// Holds the renderer of our tests against the real one: `compare.ts CHART COMMAND...`: the folder of the chart, and a program that reads a release as JSON and writes the rendered templates.
// For each set of values both have to come to the same objects, in the same order.
const [CHART = '', command = '', ...words] = process.argv.slice(2)
const about = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { version: string; appVersion: string }

const SETS: readonly {
  readonly name: string
  readonly kubernetes?: string
  readonly values: Record<string, object | number>
}[] = [
  { name: 'the defaults', values: {} },
  { name: 'Kubernetes 1.20', kubernetes: '1.20.2', values: { admission: { enabled: false } } },
  {
    name: 'everything set',
    values: {
      image: { repository: 'r.example.org:5000/lockkeeper', tag: '9', pullSecrets: [{ name: 'registry' }] },
      replicas: 3,
      rights: { group: 'oidc:night shift' },
      networkPolicy: { enabled: false },
      resources: { limits: { memory: '2Gi' } },
      storage: { size: '5Gi', className: 'local' },
      nodeSelector: { 'openstack-control-plane': 'enabled' },
      tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }],
    },
  },
]

const defaults = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Record<string, unknown>
for (const { name, kubernetes = '1.36.0', values } of SETS) {
  const whole = Object.fromEntries(
    Object.entries(defaults).map(([key, value]) => {
      const over = values[key]
      const parts = typeof value === 'object' && typeof over === 'object' && !Array.isArray(over)
      return [key, parts ? { ...value, ...over } : (over ?? value)]
    }),
  )
  const release = {
    Values: whole,
    Release: { Namespace: 'lockkeeper' },
    Chart: { AppVersion: about.appVersion, Version: about.version },
    Capabilities: { KubeVersion: { Version: `v${kubernetes}` } },
  }
  const said = spawnSync(command, [...words, CHART], { input: JSON.stringify(release), encoding: 'utf8' })
  if (said.status !== 0) throw new Error(`${name}: ${said.error?.message ?? said.stderr}`)
  const theirs = parseAllDocuments(said.stdout).flatMap(document => {
    if (document.errors.length > 0) throw new Error(`${name}: ${document.errors[0]?.message}`)
    return document.toJS() === null ? [] : [document.toJS() as unknown]
  })
  const ours = renderChart(CHART, { namespace: 'lockkeeper', kubernetes, values }).filter(
    each => (each as { kind: string }).kind !== 'CustomResourceDefinition',
  )
  if (theirs.length < 10) throw new Error(`${name}: only ${theirs.length} objects were rendered`)
  const at = theirs.findIndex((each, index) => !isDeepStrictEqual(each, ours[index]))
  if (at >= 0 || theirs.length !== ours.length) {
    throw new Error(`${name}: object ${at} differs\n${JSON.stringify(theirs[at])}\n${JSON.stringify(ours[at])}`)
  }
  process.stdout.write(`${name}: ${theirs.length} objects are the same\n`)
}
