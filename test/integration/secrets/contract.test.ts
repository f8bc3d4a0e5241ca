import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import type { Contract, RequestInput, RequestName } from '../../../shared/contract/index.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { everythingWritten } from '../../fixtures/secrets/everything-written.ts'
import { type SecretClouds, startSecretClouds, type WayName } from '../../fixtures/secrets/secret-clouds.ts'

/** The contract as every face has it: whatever crosses it is kept here and searched, answers, failures and events. */
const crossed: string[] = []
let directory: string
let clouds: SecretClouds
let app: App
let ask: Contract['ask']

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-secret-contract-'))
  clouds = await startSecretClouds(join(directory, 'clouds'))
  app = valueIn(
    await createApp({
      dataDirectory: join(directory, 'data'),
      demo: false,
      face: { kind: 'serve', pickFiles: null, secrets: null },
    }),
  )
  ask = async (name, input) => {
    const answer = await app.contract.ask(name, input)
    crossed.push(JSON.stringify(answer))
    return answer
  }
  app.contract.listen('run.event', event => crossed.push(JSON.stringify(event)))
  app.contract.listen('run.rested', rested => crossed.push(JSON.stringify(rested)))
})

afterAll(async () => {
  await app.close()
  await clouds.demo.stop()
  await rm(directory, { recursive: true, force: true })
})

async function found(): Promise<readonly string[]> {
  clouds.addIssuedTokens()
  const written = [...(await everythingWritten(join(directory, 'data'), ['tokens'])).values()]
  return [...crossed, ...written].flatMap(text => clouds.needles.foundIn(text))
}

async function add(name: WayName): Promise<void> {
  const { kubeconfig, cloudsYaml, cloud } = clouds.ways[name]
  await ask('cluster.add', {
    name,
    flavour: 'plain',
    kubeconfig: { paths: [kubeconfig], context: null },
    cloud: { path: cloudsYaml, cloud },
  })
}

const NAMES: readonly WayName[] = [
  'certificate',
  'bearer',
  'command',
  'failing-command',
  'wrong-password',
  'refused',
  'unverified',
  'proxied',
]

test('no answer, failure or event of the contract holds a secret, whatever works or fails', async () => {
  for (const name of NAMES) {
    await add(name)
    const plugin = await ask('cluster.exec-plugin', { name })
    if (plugin.ok && plugin.value !== null) {
      await ask('cluster.consent', { name, fingerprint: plugin.value.fingerprint })
    }
    const requests: readonly { [N in RequestName]?: RequestInput<N> }[] = [
      { 'cluster.connect': { name } },
      { 'cluster.test': { name } },
      { 'node.list': { cluster: name } },
      { 'instance.list': { cluster: name, node: null } },
      { 'plan.make': { cluster: name, node: 'cmp-02', kind: 'enter', choices: {} } },
    ]
    for (const request of requests) {
      for (const [requestName, input] of Object.entries(request)) {
        await ask(requestName as 'cluster.test', input as RequestInput<'cluster.test'>)
      }
    }
  }
  await ask('cluster.list', {})
  expect(crossed.length).toBeGreaterThan(50)
  expect(await found()).toEqual([])
}, 120_000)

test('nor do those of a run', async () => {
  const rested = new Promise<void>(resolve => {
    app.contract.listen('run.rested', () => resolve())
  })
  const plan = valueIn(await ask('plan.make', { cluster: 'command', node: 'cmp-03', kind: 'enter', choices: {} }))
  const run = valueIn(await ask('run.start', { planId: plan.plan.id }))
  await rested
  expect(valueIn(await ask('run.show', { runId: run.id })).summary.state).toBe('done')
  await ask('run.list', { cluster: null })
  expect(await found()).toEqual([])
}, 120_000)

test('nor do inputs that are refused come back', async () => {
  const { password, bearer } = clouds
  const wrong = { name: 'x', password, [bearer]: { token: bearer } } as unknown as RequestInput<'cluster.test'>
  for (const name of ['cluster.test', 'cluster.add', 'plan.make', 'run.start'] as const) {
    await ask(name as 'cluster.test', wrong)
  }
  expect(await found()).toEqual([])
})
