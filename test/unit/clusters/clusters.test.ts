import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeContexts } from '../../../main/adapters/kubernetes/describe-contexts.ts'
import { type Clusters, createClusters } from '../../../main/clusters/clusters.ts'
import { openRegistry } from '../../../main/clusters/registry.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { accessQuestionsOf } from '../../../main/procedures/steps/general/access-questions.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { fakeKubernetes, fakeOpenStack } from '../../fixtures/clusters/connections.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { neverJuju } from '../../fixtures/procedures/no-maintenance-api.ts'
import { noCommands } from '../../fixtures/procedures/own-commands.ts'

let directory: string
let registered: string[]
let openstackAway: boolean
const clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => {}, random: () => 0.5 }

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-clusters-'))
  registered = []
  openstackAway = false
  writeKubeconfig('aws')
  writeFileSync(
    join(directory, 'clouds.yaml'),
    'clouds: {lab: {auth: {auth_url: "http://k", username: a, password: geheim99, project_name: p}}}',
  )
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function writeKubeconfig(command: string): void {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command,
    args: ['get-token'],
    env: [{ name: 'A', value: 'geheim99' }],
    interactiveMode: 'Never',
  }
  writeFileSync(
    join(directory, 'kubeconfig'),
    JSON.stringify({
      clusters: [{ name: 'kube', cluster: { server: 'https://127.0.0.1:6443' } }],
      users: [
        { name: 'alice', user: { exec } },
        { name: 'bob', user: { token: 'geheim99' } },
      ],
      contexts: [
        { name: 'exec', context: { cluster: 'kube', user: 'alice' } },
        { name: 'token', context: { cluster: 'kube', user: 'bob' } },
      ],
    }),
  )
}

async function clusters(context = 'exec'): Promise<Clusters> {
  const made = createClusters({
    registry: valueIn(openRegistry({ directory, clock })),
    places: { environment: {}, home: directory, currentDirectory: directory },
    commands: noCommands,
    describeContexts,
    defaultKubeconfigPaths: () => [],
    connectKubernetes: async () =>
      ok(fakeKubernetes({ warnings: [{ code: 'plain-http', message: 'kubernetes in the clear' }] })),
    connectOpenStack: async () =>
      openstackAway
        ? failed(failure('unreachable', 'Keystone is away'))
        : ok(fakeOpenStack({ warnings: [{ code: 'tls-not-verified', message: 'openstack unverified' }] })),
    ...neverJuju,
    accessQuestions: accessQuestionsOf,
    registerSecret: secret => registered.push(secret),
    clock,
    log: silentLogger,
  })
  valueIn(
    await made.add({
      name: 'lab',
      flavour: 'plain',
      kubeconfig: { paths: ['kubeconfig'], context },
      cloud: { path: 'clouds.yaml', cloud: 'lab' },
    }),
  )
  return made
}

describe('the command of a kubeconfig', () => {
  test('is shown in full, without the values of its environment, before anybody agreed', async () => {
    const plugin = valueIn(await (await clusters()).execPlugin('lab'))
    expect(plugin).toMatchObject({
      command: 'aws',
      args: ['get-token'],
      envNames: ['A'],
      user: 'alice',
      consented: false,
    })
    expect(JSON.stringify(plugin)).not.toContain('geheim99')
  })

  test('is consented once it was agreed to', async () => {
    const made = await clusters()
    const plugin = valueIn(await made.execPlugin('lab'))
    valueIn(await made.consent('lab', plugin?.fingerprint ?? ''))
    expect(valueIn(await made.execPlugin('lab'))?.consented).toBe(true)
  })

  test('that was changed meanwhile is not the one that was agreed to', async () => {
    const made = await clusters()
    const plugin = valueIn(await made.execPlugin('lab'))
    writeKubeconfig('curl')
    expect(failureIn(await made.consent('lab', plugin?.fingerprint ?? '')).code).toBe('conflict')
    valueIn(await made.consent('lab', valueIn(await made.execPlugin('lab'))?.fingerprint ?? ''))
    writeKubeconfig('aws')
    expect(valueIn(await made.execPlugin('lab'))?.consented).toBe(false)
  })

  test('does not exist for a user with a token, and then there is nothing to agree to', async () => {
    const made = await clusters('token')
    expect(valueIn(await made.execPlugin('lab'))).toBeNull()
    expect(failureIn(await made.consent('lab', 'f00')).code).toBe('conflict')
  })
})

describe('connecting', () => {
  test('tells what is unsafe on both sides', async () => {
    const answer = valueIn(await (await clusters()).connect('lab'))
    expect(answer.warnings.map(({ message }) => message)).toEqual(['kubernetes in the clear', 'openstack unverified'])
    expect(answer.openstack).toBe('ok')
  })

  test('tells why OpenStack cannot be asked, and opens the world without it', async () => {
    const made = await clusters()
    openstackAway = true
    expect(valueIn(await made.connect('lab')).openstack).toMatchObject({ code: 'unreachable' })
    const { world, openstackFailure } = valueIn(await made.open('lab'))
    expect(world.openstack).toBeNull()
    expect(openstackFailure?.message).toBe('Keystone is away')
  })

  test('registers the password, so that the log leaves it out', async () => {
    const made = await clusters()
    expect(registered).toEqual([])
    await made.connect('lab')
    expect(registered).toEqual(['geheim99'])
  })

  test('to a removed cluster is not possible', async () => {
    const made = await clusters()
    valueIn(await made.connect('lab'))
    valueIn(await made.remove('lab'))
    expect(failureIn(await made.open('lab')).code).toBe('not-found')
    expect(failureIn(await made.test('lab')).code).toBe('not-found')
    expect(failureIn(await made.execPlugin('lab')).code).toBe('not-found')
  })
})

test('the registry never holds a secret', async () => {
  const made = await clusters()
  valueIn(await made.consent('lab', valueIn(await made.execPlugin('lab'))?.fingerprint ?? ''))
  for (const file of ['clusters.json', 'consents.json']) {
    expect(readFileSync(join(directory, file), 'utf8')).not.toContain('geheim99')
  }
})
