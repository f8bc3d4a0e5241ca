import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { createMaintenanceRuns } from '../../../main/wings/runner/kubernetes/maintenance-runs.ts'
import { admissionManifests } from '../../../main/wings/runner/manifests/runner-admission.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { type MaintenanceRunsTarget, maintenanceRunsContract, SPEC } from '../../contract/maintenance-runs-contract.ts'
import { failureOf, until, value } from '../../contract/target.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { apply, kubectl } from '../cli/referees.ts'
import { LAB_KUBECONFIG } from '../lab-places.ts'

/*
 * The API server of custom resources of the newest Kubernetes (build-newest.sh), with the lab's API server behind it for who asks and what they may, and
 * the embedded Kubernetes for namespaces and policies: rules of definitions and admission policies are evaluated by the real code.
 */
const PROGRAM = join(homedir(), '.cache/lockkeeper-lab/apiextensions-newest/apiextensions-apiserver')
/** People without a right but those that a test gives them: one who asks for runs, and one who steers them too. */
const PEOPLE = ['newest-submitter', 'newest-steerer'] as const
const FOLDER = '/apis/lockkeeper.dev/v1alpha1/namespaces/lockkeeper/maintenanceruns'
const PKI = join(LAB_KUBECONFIG, '../pki')

/** What Kubernetes fills in of a policy, and a server that only keeps it does not. */
const DEFAULTS = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }

const policies = (kind: string, plural: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.admissionregistration.k8s.io` },
  spec: {
    group: 'admissionregistration.k8s.io',
    scope: 'Cluster',
    names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})

async function open(path: string, context: string) {
  return value(
    await openKubernetesSession({
      source: { paths: [path], context },
      consent: () => false,
      clock: systemClock,
      log: silentLogger,
    }),
  )
}

describe.skipIf(!existsSync(PROGRAM))('the API server of custom resources of the newest Kubernetes', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-newest-'))
  const started: ChildProcess[] = []
  const ended: (() => void)[] = []
  let core: KubernetesSimulator
  let target: MaintenanceRunsTarget

  function start(program: string, words: readonly string[]): void {
    started.push(spawn(program, [...words], { stdio: 'ignore', cwd: directory }))
  }

  beforeAll(async () => {
    core = await startKubernetesSimulator({
      clock: systemClock,
      seed: [
        ...['default', 'lockkeeper'].map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
        policies('ValidatingAdmissionPolicy', 'validatingadmissionpolicies'),
        policies('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings'),
      ],
    })
    const coreConfig = join(directory, 'core.kubeconfig')
    writeFileSync(coreConfig, core.kubeconfig(), { mode: 0o600 })
    const [port, client, peer] = [await freePort(), await freePort(), await freePort()]
    start('etcd', [
      `--data-dir=${directory}/etcd`,
      `--listen-client-urls=http://127.0.0.1:${client}`,
      `--advertise-client-urls=http://127.0.0.1:${client}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-cluster=default=http://127.0.0.1:${peer}`,
      '--unsafe-no-fsync',
    ])
    start(PROGRAM, [
      `--etcd-servers=http://127.0.0.1:${client}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${directory}/certs`,
      `--client-ca-file=${PKI}/ca.crt`,
      `--kubeconfig=${coreConfig}`,
      `--authentication-kubeconfig=${LAB_KUBECONFIG}`,
      `--authorization-kubeconfig=${LAB_KUBECONFIG}`,
      '--authentication-skip-lookup',
      '--enable-priority-and-fairness=false',
      '--disable-admission-plugins=MutatingAdmissionPolicy,MutatingAdmissionWebhook,ValidatingAdmissionWebhook',
    ])
    const base64 = (path: string) => readFileSync(path).toString('base64')
    const authority = join(directory, 'certs/apiserver.crt')
    await until('it has a certificate', async () => (existsSync(authority) ? true : null))
    const path = join(directory, 'newest.kubeconfig')
    const admin = {
      'client-certificate-data': base64(join(PKI, 'admin.crt')),
      'client-key-data': base64(join(PKI, 'admin.key')),
    }
    const config = {
      clusters: [
        {
          name: 'newest',
          cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': base64(authority) },
        },
      ],
      users: [{ name: 'admin', user: admin }, ...PEOPLE.map(as => ({ name: as, user: { ...admin, as } }))],
      contexts: [
        { name: 'newest', context: { cluster: 'newest', user: 'admin' } },
        ...PEOPLE.map(name => ({ name, context: { cluster: 'newest', user: name } })),
      ],
    }
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
    const session = await open(path, 'newest')
    await until('it answers', async () => ((await session.version()).ok ? true : null))
    // It is a part of an API server, and has nothing that tells who asks.
    target = { session, namespace: 'lockkeeper', hasRules: true, user: undefined }
  })

  afterAll(async () => {
    for (const end of ended) end()
    target?.session.close()
    for (const process of started.toReversed()) process.kill()
    await core?.stop()
    for (const name of PEOPLE) await kubectl('delete', 'clusterrole,clusterrolebinding', name, '--ignore-not-found')
    rmSync(directory, { recursive: true, force: true })
  })

  describe('keeps the contract of MaintenanceRuns', () => maintenanceRunsContract(() => target))

  /** Asks as one of {@link PEOPLE}; the lab's own RBAC says what they may. */
  async function asPerson(name: string) {
    const session = await open(join(directory, 'newest.kubeconfig'), name)
    ended.push(() => session.close())
    return createMaintenanceRuns({ ...target, session, clock: systemClock })
  }

  it('by our admission policies takes a run and a control of nobody but who asks, and no change of what was asked', async () => {
    const policed = await open(join(directory, 'core.kubeconfig'), 'demo')
    for (const { apiVersion, kind, metadata, spec } of admissionManifests()) {
      const { matchConstraints, ...rest } = spec as { readonly matchConstraints?: object }
      const filled =
        matchConstraints === undefined ? rest : { ...rest, matchConstraints: { ...matchConstraints, ...DEFAULTS } }
      const plural = kind.endsWith('Binding') ? 'validatingadmissionpolicybindings' : 'validatingadmissionpolicies'
      const body = { apiVersion, kind, metadata, spec: filled }
      value(await policed.request({ method: 'POST', path: `/apis/${apiVersion}/${plural}`, body }))
    }
    policed.close()
    const runs = createMaintenanceRuns({ ...target, clock: systemClock })
    const made = (name: string, confirmedBy: string) => runs.createRun({ name, spec: { ...SPEC, confirmedBy } })
    // A policy counts a moment after it was made.
    const refusal = await until('a name that is not the asker’s is refused', async () => {
      const answer = await made('contract-mallory', 'mallory')
      if (!answer.ok) return answer.failure
      await target.session.request({ method: 'DELETE', path: `${FOLDER}/contract-mallory` })
      return null
    })
    expect(refusal.message).toContain('spec.confirmedBy must be the requesting user (admin), and spec cannot change')
    value(await made('contract-own', 'admin'))
    const control = (name: string, by: string) =>
      runs.createControl({ name, spec: { run: 'contract-own', control: 'pause', by, reason: '' } })
    expect(failureOf(await control('contract-p', 'mallory')).message).toContain(
      'spec.by must be the requesting user (admin)',
    )
    value(await control('contract-p', 'admin'))
  })

  it('by our admission policies takes a run that is handed over from those alone who may steer', async () => {
    const [submitter, steerer] = PEOPLE
    const may = (resources: readonly string[]) => [
      { apiGroups: ['lockkeeper.dev'], resources, verbs: ['get', 'create', 'delete'] },
    ]
    const grant = async (name: string, rules: readonly object[]) => {
      const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name } }
      await apply({ ...rbac, kind: 'ClusterRole', rules })
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
      await apply({ ...rbac, kind: 'ClusterRoleBinding', roleRef, subjects: [{ kind: 'User', name }] })
    }
    await grant(submitter, may(['maintenanceruns']))
    await grant(steerer, may(['maintenanceruns', 'maintenanceruncontrols']))
    const handedOver = { run: 'run-1', story: 'eA==', storyHash: 'f'.repeat(64) }
    const made = async (by: string, name: string, more: object) =>
      (await asPerson(by)).createRun({ name, spec: { ...SPEC, confirmedBy: by, ...more } })
    await until('a plan is taken from a submitter', async () => {
      const answer = await made(submitter, 'people-plan', {})
      return answer.ok ? true : null
    })
    const refused = failureOf(await made(submitter, 'people-story', { handedOver }))
    expect(refused.message).toContain('takes the right to create maintenanceruncontrols here')
    expect(value(await made(steerer, 'people-story', { handedOver })).spec).toMatchObject({ handedOver })
  })
})
