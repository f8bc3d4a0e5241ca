import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeContexts } from '../../../main/adapters/kubernetes/describe-contexts.ts'
import { discoverEviction } from '../../../main/adapters/kubernetes/eviction.ts'
import { createKubernetesFeeds } from '../../../main/adapters/kubernetes/feeds.ts'
import { createKubernetesPort } from '../../../main/adapters/kubernetes/kubernetes-port.ts'
import { openKubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { openOpenStackSession } from '../../../main/adapters/openstack/keystone-session.ts'
import { probeMasakariPolicies } from '../../../main/adapters/openstack/masakari-probes.ts'
import { createOpenStackPort } from '../../../main/adapters/openstack/openstack-port.ts'
import { probeNovaPolicies } from '../../../main/adapters/openstack/policy-probes.ts'
import { createWatcherPort } from '../../../main/adapters/openstack/watcher/watcher-port.ts'
import { probeWatcherPolicies } from '../../../main/adapters/openstack/watcher/watcher-probes.ts'
import { type Clusters, createClusters } from '../../../main/clusters/clusters.ts'
import { openRegistry } from '../../../main/clusters/registry.ts'
import type { KubernetesConnection } from '../../../main/clusters/session-ports.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { accessQuestionsOf } from '../../../main/procedures/steps/general/access-questions.ts'
import { ok } from '../../../shared/domain/result.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { neverJuju } from '../../fixtures/procedures/no-maintenance-api.ts'
import { noCommands } from '../../fixtures/procedures/own-commands.ts'
import { LAB_CLOUDS, LAB_KUBECONFIG, LAB_VIEWER_KUBECONFIG } from '../lab-places.ts'

const log = silentLogger
const clock = systemClock
let directory: string
let clusters: Clusters

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-lab-clusters-'))
  clusters = createClusters({
    registry: valueIn(openRegistry({ directory, clock })),
    places: { environment: {}, home: directory, currentDirectory: directory },
    commands: noCommands,
    describeContexts,
    defaultKubeconfigPaths: () => [],
    connectKubernetes: async (cluster, consent) => {
      const session = await openKubernetesSession({ source: cluster.kubeconfig, consent, clock, log })
      if (!session.ok) return session
      const { host, warnings, version, clocks, close } = session.value
      const port = createKubernetesPort({ session: session.value, leaseNamespace: cluster.leaseNamespace, clock, log })
      return ok({
        host,
        warnings,
        port,
        feeds: createKubernetesFeeds({
          session: session.value,
          leaseNamespace: cluster.leaseNamespace,
          clock,
          watchMaintenance: async () => {},
        }),
        // Not this room's to ask.
        maintenanceApi: {} as KubernetesConnection['maintenanceApi'],
        ceph: {} as KubernetesConnection['ceph'],
        osds: {} as KubernetesConnection['osds'],
        locks: {} as KubernetesConnection['locks'],
        session: session.value,
        watchMaintenance: async () => {},
        readLcmReport: async () => ok({ lines: [], phase: null, upgraded: [], begun: [], done: [] }),
        version,
        clocks,
        evictionVersion: signal => discoverEviction(session.value, signal),
        close,
      })
    },
    connectOpenStack: async cloud => {
      const session = await openOpenStackSession({ cloud, clock, log })
      if (!session.ok) return session
      const port = createOpenStackPort({ session: session.value })
      const watcher = createWatcherPort({ session: session.value, clock })
      return ok({
        ...session.value,
        port,
        watcher,
        probePolicies: signal => probeNovaPolicies(session.value, signal),
        probeWatcherPolicies: signal => probeWatcherPolicies(session.value, signal),
        probeMasakariPolicies: signal => probeMasakariPolicies(session.value, signal),
      })
    },
    ...neverJuju,
    accessQuestions: accessQuestionsOf,
    registerSecret: () => {},
    clock,
    log,
  })
  for (const [name, file, cloud] of [
    ['admin', LAB_KUBECONFIG, 'lab'],
    ['viewer', LAB_VIEWER_KUBECONFIG, 'lab-demo'],
  ] as const) {
    valueIn(
      await clusters.add({
        name,
        flavour: 'plain',
        kubeconfig: { paths: [file], context: null },
        cloud: { path: LAB_CLOUDS, cloud },
      }),
    )
  }
})

afterAll(() => {
  clusters.closeAll()
  rmSync(directory, { recursive: true, force: true })
})

describe('cluster test on the lab', () => {
  test('passes for administrators of both sides', async () => {
    const report = valueIn(await clusters.test('admin'))
    expect(report.items.filter(({ outcome }) => outcome === 'failed' || outcome === 'missing')).toEqual([])
    expect(report).toMatchObject({ ok: true, missingRbac: null })
    expect(report.items.find(({ name }) => name === 'eviction')?.message).toContain('policy/v1beta1')
  })

  test('names what plain users lack, and the manifest is one that the API server takes', async () => {
    const report = valueIn(await clusters.test('viewer'))
    expect(report.ok).toBe(false)
    const missing = report.items.filter(({ outcome }) => outcome === 'missing').map(({ name }) => name)
    expect(missing).toContain('patch nodes')
    expect(missing).toContain('os_compute_api:os-services:list')
    const manifest = join(directory, 'missing.yaml')
    writeFileSync(manifest, report.missingRbac ?? '')
    const out = execFileSync('kubectl', ['--kubeconfig', LAB_KUBECONFIG, 'apply', '--dry-run=server', '-f', manifest], {
      encoding: 'utf8',
    })
    expect(out).toMatch(/clusterrole\.rbac\S* created \(server dry run\)/)
    expect(out).toMatch(/rolebinding\.rbac\S* created \(server dry run\)/)
  })

  test.each(['lockkeeper-viewer.yaml', 'lockkeeper-operator.yaml'])('the API server takes resources/rbac/%s', file => {
    const path = new URL(`../../../resources/rbac/${file}`, import.meta.url).pathname
    const out = execFileSync('kubectl', ['--kubeconfig', LAB_KUBECONFIG, 'apply', '--dry-run=server', '-f', path], {
      encoding: 'utf8',
    })
    expect(out.match(/server dry run/g)).toHaveLength(4)
  })

  test('a world of one session serves both sides', async () => {
    const { world, openstackFailure } = valueIn(await clusters.open('admin'))
    expect(openstackFailure).toBeNull()
    expect(valueIn(await world.kubernetes.listNodes()).length).toBeGreaterThan(0)
    expect(valueIn((await world.openstack?.computeServices()) ?? ok([])).length).toBeGreaterThan(0)
  })
})
