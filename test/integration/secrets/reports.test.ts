import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { reportHtml } from '../../../main/reports/html.ts'
import type { Contract, RequestInput } from '../../../shared/contract/index.ts'
import { Report } from '../../../shared/domain/report.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { type SecretClouds, startSecretClouds } from '../../fixtures/secrets/secret-clouds.ts'

/** Reports of a run that was reached with every kind of secret: each format, each table, whole and redacted, is searched. */
let directory: string
let clouds: SecretClouds
let app: App
const printed: string[] = []
const ask: Contract['ask'] = (name, input) => app.contract.ask(name, input)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-secret-reports-'))
  clouds = await startSecretClouds(join(directory, 'clouds'))
  app = valueIn(
    await createApp({
      dataDirectory: join(directory, 'data'),
      demo: false,
      face: {
        kind: 'serve',
        pickFiles: null,
        secrets: null,
        printPdf: async html => {
          printed.push(html)
          return { ok: true, value: Buffer.from('%PDF-1.7') }
        },
      },
    }),
  )
  const { kubeconfig, cloudsYaml, cloud } = clouds.ways.command
  const inspected = valueIn(await ask('kubeconfig.inspect', { paths: [kubeconfig] }))
  for (const { name: context, execPlugin } of inspected.contexts) {
    if (execPlugin === null) continue
    await ask('exec-plugin.consent', { paths: [kubeconfig], context, fingerprint: execPlugin.fingerprint })
  }
  valueIn(
    await ask('cluster.add', {
      name: 'lab',
      flavour: 'plain',
      kubeconfig: { paths: [kubeconfig], context: null },
      cloud: { path: cloudsYaml, cloud },
    }),
  )
  const plugin = valueIn(await ask('cluster.exec-plugin', { name: 'lab' }))
  if (plugin !== null) valueIn(await ask('cluster.consent', { name: 'lab', fingerprint: plugin.fingerprint }))
})

afterAll(async () => {
  await app.close()
  await clouds.demo.stop()
  await rm(directory, { recursive: true, force: true })
})

test('a report holds no secret, in no format, whole or redacted', async () => {
  const runId = await enter('cmp-03', 'done')
  expect(await foundIn(runId)).toEqual([])
  // What is searched is the report of what happened, not an empty page.
  const report = Report.parse(JSON.parse(valueIn(await make(runId, { format: 'json' })).content))
  expect(report.instances.length + report.pods.length).toBeGreaterThan(0)
  expect(printed.length).toBeGreaterThan(0)
})

test('nor does that of a run in which the cloud refused', async () => {
  clouds.demo.openstack.faults.servers['web-01'] = { fail: true }
  const runId = await enter('cmp-01', 'waiting')
  expect(await foundIn(runId)).toEqual([])
  await ask('run.abort', { runId, reason: 'enough' })
})

test('the search finds a secret that does stand in a report', async () => {
  const runId = valueIn(await ask('run.list', { cluster: 'lab' }))[0]?.id ?? ''
  const report = Report.parse(JSON.parse(valueIn(await make(runId, { format: 'json' })).content))
  const reported = reportHtml({ ...report, title: `password ${clouds.password}` })
  expect(clouds.needles.foundIn(reported)).not.toEqual([])
})

async function enter(node: string, state: string): Promise<string> {
  const plan = valueIn(await ask('plan.make', { cluster: 'lab', node, kind: 'enter', choices: { attempts: 1 } }))
  const rested = new Promise<void>(resolve => {
    const stop = app.contract.listen('run.rested', rest => {
      stop()
      if (rest.runId !== '') resolve()
    })
  })
  const started = valueIn(await ask('run.start', { planId: plan.plan.id, outsideWindow: 'a test' }))
  await rested
  expect(valueIn(await ask('run.show', { runId: started.id })).summary.state).toBe(state)
  return started.id
}

type Wish = Pick<RequestInput<'report.make'>, 'format'> & Partial<RequestInput<'report.make'>>

function make(id: string, wish: Wish) {
  return ask('report.make', { subject: { kind: 'run', id }, redact: false, table: 'instances', ...wish })
}

async function foundIn(runId: string): Promise<readonly string[]> {
  clouds.addIssuedTokens()
  const wishes: readonly Wish[] = [
    { format: 'json' },
    { format: 'html' },
    { format: 'pdf' },
    { format: 'md' },
    { format: 'csv', table: 'instances' },
    { format: 'csv', table: 'nodes' },
    { format: 'csv', table: 'events' },
  ]
  const texts: string[] = []
  for (const wish of wishes) {
    for (const redact of [false, true]) texts.push(valueIn(await make(runId, { ...wish, redact })).content)
  }
  return [...texts, ...printed].flatMap(text => clouds.needles.foundIn(text))
}
