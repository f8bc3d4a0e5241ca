import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeContexts } from '../../../main/adapters/kubernetes/describe-contexts.ts'
import { defaultKubeconfigPaths } from '../../../main/adapters/kubernetes/kubeconfig.ts'
import { type Clusters, createClusters } from '../../../main/clusters/clusters.ts'
import { openRegistry, type Registry } from '../../../main/clusters/registry.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { accessQuestionsOf } from '../../../main/procedures/steps/general/access-questions.ts'
import { requests } from '../../../shared/contract/index.ts'
import { ok } from '../../../shared/domain/result.ts'
import { fakeKubernetes, fakeOpenStack } from '../../fixtures/clusters/connections.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { neverJuju } from '../../fixtures/procedures/no-maintenance-api.ts'
import { noCommands } from '../../fixtures/procedures/own-commands.ts'

const clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => {}, random: () => 0.5 }
let root: string
let registry: Registry
let connected: number

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockkeeper-inspect-'))
  registry = valueIn(openRegistry({ directory: root, clock }))
  connected = 0
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}

function clusters(environment: Record<string, string> = {}): Clusters {
  const home = join(root, 'home')
  return createClusters({
    registry,
    places: { environment, home, currentDirectory: join(root, 'here'), siteDirectory: join(root, 'site') },
    commands: noCommands,
    describeContexts,
    defaultKubeconfigPaths: () => defaultKubeconfigPaths(environment, home),
    ...neverJuju,
    connectKubernetes: async () => {
      connected += 1
      return ok(fakeKubernetes())
    },
    connectOpenStack: async () => {
      connected += 1
      return ok(fakeOpenStack())
    },
    accessQuestions: accessQuestionsOf,
    registerSecret: () => {},
    clock,
    log: silentLogger,
  })
}

const SECRETS = [
  'geheim-bearer',
  'geheim-env',
  'geheim-password',
  'geheim-app',
  'geheim-token',
  'geheim-url',
  'Z2VoZWltLWtleQ',
]

function kubeconfig(): string {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'IfAvailable',
    command: './get-token',
    args: ['--for', 'lab'],
  }
  return JSON.stringify({
    'current-context': 'by-command',
    clusters: [
      { name: 'kube', cluster: { server: 'https://user:geheim-url@10.0.0.1:6443/path' } },
      { name: 'nowhere', cluster: {} },
    ],
    users: [
      { name: 'cmd', user: { exec: { ...exec, env: [{ name: 'SIGN_IN', value: 'geheim-env' }] } } },
      { name: 'tok', user: { token: 'geheim-bearer' } },
      { name: 'cert', user: { 'client-certificate-data': 'AAAA', 'client-key-data': 'Z2VoZWltLWtleQ==' } },
    ],
    contexts: [
      { name: 'by-command', context: { cluster: 'kube', user: 'cmd' } },
      { name: 'by-token', context: { cluster: 'kube', user: 'tok' } },
      { name: 'by-cert', context: { cluster: 'nowhere', user: 'cert' } },
    ],
  })
}

const CLOUDS = `clouds:
  east:
    region_name: RegionOne
    auth: {auth_url: "https://u:geheim-url@k.example:5000/v3", username: ana, password: geheim-password, project_name: ops}
  app:
    auth_type: v3applicationcredential
    auth: {auth_url: "https://k.example:5000", application_credential_id: abc, application_credential_secret: geheim-app}
  tok:
    auth_type: token
    auth: {auth_url: "https://k.example:5000", token: geheim-token, project_id: p1}
  half:
    region_name: RegionTwo
    auth: {auth_url: "https://k.example:5000", username: ana, project_name: ops}
  odd: {auth_type: kerberos, auth: {auth_url: "https://k.example:5000", password: geheim-password}}
  placeless: {auth: {auth_url: "geheim-url", username: ana, password: geheim-password}}
  wrong: geheim-password
`

describe('looking into a kubeconfig', () => {
  test('tells its contexts, how each is proved, and the command it asks to run, whole; no secret, and nothing is run', async () => {
    const path = put('lab/kubeconfig', kubeconfig())
    const answer = await clusters().inspectKubeconfig([path])
    const { paths, contexts } = requests['kubeconfig.inspect'].output.parse(valueIn(answer))
    expect(paths).toEqual([path])
    expect(contexts.map(({ name, current, host, credentials }) => [name, current, host, credentials])).toEqual([
      ['by-command', true, '10.0.0.1:6443', 'exec'],
      ['by-token', false, '10.0.0.1:6443', 'token'],
      ['by-cert', false, null, 'client certificate'],
    ])
    expect(contexts[0]?.execPlugin).toMatchObject({
      command: join(root, 'lab/get-token'),
      args: ['--for', 'lab'],
      envNames: ['SIGN_IN'],
      consented: false,
    })
    for (const secret of SECRETS) expect(JSON.stringify(answer)).not.toContain(secret)
    expect(connected).toBe(0)
  })

  test('without paths looks into those that kubectl would read and that exist', async () => {
    const [one, other] = [put('one', kubeconfig()), join(root, 'absent')]
    const inspected = await clusters({ KUBECONFIG: `${one}:${other}` }).inspectKubeconfig([])
    expect(valueIn(inspected).paths).toEqual([one])
    expect(failureIn(await clusters().inspectKubeconfig([])).code).toBe('not-found')
  })

  test('a path that is not there is named, and ~ is the home', async () => {
    const path = put('home/lab.yaml', kubeconfig())
    expect(valueIn(await clusters().inspectKubeconfig(['~/lab.yaml'])).paths).toEqual([path])
    expect(failureIn(await clusters().inspectKubeconfig(['~/other.yaml'])).message).toContain(
      join(root, 'home/other.yaml'),
    )
  })

  test('its command is agreed to before a cluster is there, exactly as it was shown, and the cluster then has it', async () => {
    const path = put('lab/kubeconfig', kubeconfig())
    const made = clusters()
    const shown = valueIn(await made.inspectKubeconfig([path])).contexts[0]?.execPlugin
    const consent = { paths: [path], context: 'by-command', fingerprint: shown?.fingerprint ?? '' }
    expect(failureIn(await made.consentToContext({ ...consent, fingerprint: 'other' })).code).toBe('conflict')
    expect(failureIn(await made.consentToContext({ ...consent, context: 'by-token' })).code).toBe('conflict')
    valueIn(await made.consentToContext(consent))
    expect(valueIn(await made.inspectKubeconfig([path])).contexts[0]?.execPlugin?.consented).toBe(true)
    valueIn(
      await made.add({
        name: 'lab',
        flavour: 'plain',
        kubeconfig: { paths: [path], context: 'by-command' },
        cloud: null,
      }),
    )
    expect(valueIn(await made.execPlugin('lab'))?.consented).toBe(true)
    put('lab/kubeconfig', kubeconfig().replace('--for', '--all'))
    expect(valueIn(await made.execPlugin('lab'))?.consented).toBe(false)
  })
})

describe('looking into a clouds.yaml', () => {
  test('tells names and places, what is wrong with which, and never a secret', async () => {
    const path = put('clouds.yaml', CLOUDS)
    const answer = await clusters().inspectClouds(path)
    const { clouds } = requests['clouds.inspect'].output.parse(valueIn(answer))
    expect(clouds.map(({ name, host, user, project, region }) => [name, host, user, project, region])).toEqual([
      ['app', 'k.example:5000', 'an application credential', null, null],
      ['east', 'k.example:5000', 'ana', 'ops', 'RegionOne'],
      ['half', null, null, null, 'RegionTwo'],
      ['odd', null, null, null, null],
      ['placeless', null, 'ana', null, null],
      ['tok', 'k.example:5000', null, 'p1', null],
      ['wrong', null, null, null, null],
    ])
    const problems = new Map(clouds.map(({ name, problem }) => [name, problem]))
    expect(['app', 'east', 'tok'].map(name => problems.get(name))).toEqual([null, null, null])
    expect(problems.get('half')).toContain('has no password')
    expect(problems.get('odd')).toContain('kerberos')
    expect(problems.get('placeless')).toContain('auth_url must be an address')
    expect(problems.get('wrong')).toContain('not a mapping')
    for (const secret of SECRETS) expect(JSON.stringify(answer)).not.toContain(secret)
    expect(connected).toBe(0)
  })

  test('without a path looks into the one that the openstack client would use', async () => {
    const path = put('home/.config/openstack/clouds.yaml', CLOUDS)
    expect(valueIn(await clusters().inspectClouds(null)).path).toBe(path)
    const other = put('other.yaml', CLOUDS)
    expect(valueIn(await clusters({ OS_CLIENT_CONFIG_FILE: other }).inspectClouds(null)).path).toBe(other)
  })

  test('a file that is not YAML is a failure with the line, not with its text', async () => {
    const path = put('clouds.yaml', 'clouds:\n  east: {auth: {password: geheim-password\n')
    const refused = failureIn(await clusters().inspectClouds(path))
    expect(refused.message).toContain('line')
    expect(JSON.stringify(refused)).not.toContain('geheim')
  })
})

describe('trying out', () => {
  test('tests a context and a cloud that are not registered, and registers nothing', async () => {
    const kube = put('kubeconfig', kubeconfig())
    const cloud = put('clouds.yaml', CLOUDS)
    const report = valueIn(
      await clusters().tryOut({
        kubeconfig: { paths: [kube], context: 'by-token' },
        cloud: { path: cloud, cloud: 'east' },
      }),
    )
    expect(report.items.map(({ outcome }) => outcome)).not.toContain('failed')
    expect(connected).toBe(2)
    expect(valueIn(registry.list())).toEqual([])
    for (const secret of SECRETS) expect(JSON.stringify(report)).not.toContain(secret)
  })

  test('a command that was not agreed to is not run, and no command of the terminal is named for it', async () => {
    const kube = put('kubeconfig', kubeconfig())
    const report = valueIn(
      await clusters().tryOut({ kubeconfig: { paths: [kube], context: 'by-command' }, cloud: null }),
    )
    const plugin = report.items.find(({ name }) => name === 'exec plugin')
    expect(plugin).toMatchObject({ outcome: 'missing', remedy: 'Check the command and agree to it, then try again.' })
    expect(connected).toBe(0)
  })
})

describe('files to choose from', () => {
  test('are those that exist where kubectl and the openstack client look', async () => {
    const [listed, usual] = [put('listed', ''), put('home/.kube/config', '')]
    put('here/folder/clouds.yaml', '')
    mkdirSync(join(root, 'site/clouds.yaml'), { recursive: true })
    const [own, user] = [put('here/clouds.yaml', ''), put('home/.config/openstack/clouds.yml', '')]
    const made = clusters({ KUBECONFIG: `${listed}:${join(root, 'absent')}`, OS_CLIENT_CONFIG_FILE: listed })
    expect(await made.suggestFiles('kubeconfig')).toEqual([listed, usual])
    expect(await made.suggestFiles('clouds')).toEqual([listed, own, user])
  })
})
