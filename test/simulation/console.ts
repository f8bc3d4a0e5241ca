import { randomUUID } from 'node:crypto'
import { createCephPort } from '../../main/adapters/ceph/ceph-port.ts'
import { cephByJuju, createMicroCeph } from '../../main/adapters/ceph/microceph.ts'
import { cephInToolbox } from '../../main/adapters/ceph/toolbox.ts'
import { createExec } from '../../main/adapters/kubernetes/exec.ts'
import { createKubernetesFeeds } from '../../main/adapters/kubernetes/feeds.ts'
import { createKubernetesPort } from '../../main/adapters/kubernetes/kubernetes-port.ts'
import { createLeaseObserver } from '../../main/adapters/kubernetes/lease-observer.ts'
import { createLeases } from '../../main/adapters/kubernetes/leases.ts'
import { createLockWriter } from '../../main/adapters/kubernetes/lock-writer.ts'
import { createMaintenanceApi } from '../../main/adapters/kubernetes/maintenance-api.ts'
import { createOsdDaemons } from '../../main/adapters/kubernetes/osd-daemons.ts'
import { createKubernetesSession } from '../../main/adapters/kubernetes/session.ts'
import { createMaintenanceWatch } from '../../main/adapters/kubernetes/watch-maintenance.ts'
import { login } from '../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../main/adapters/openstack/openstack-port.ts'
import { createWatcherPort } from '../../main/adapters/openstack/watcher/watcher-port.ts'
import { type Journal, openJournal } from '../../main/journal/journal.ts'
import { createControllersHost } from '../../main/lcm/controllers/controllers-host.ts'
import type { Clock } from '../../main/platform/clock/clock.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import { readCluster } from '../../main/platform/reading/cluster-reading.ts'
import type { LeasePort } from '../../main/ports/leases.ts'
import type { ControllerWorld, MaintenanceWorld } from '../../main/ports/world.ts'
import { maintenanceSteps } from '../../main/procedures/registry.ts'
import { nodeLeaseKeeper } from '../../main/procedures/steps/general/node-lease.ts'
import type { DrivenRun } from '../../main/runs/engine/drive-to-rest.ts'
import { createRunEngine, type RunEngine } from '../../main/runs/engine/run-engine.ts'
import { createRunService } from '../../main/runs/run-service.ts'
import { createMaintenanceRuns } from '../../main/wings/runner/kubernetes/maintenance-runs.ts'
import type { MaintenanceRunsPort } from '../../main/wings/runner/ports/maintenance-runs.ts'
import { API_SERVER } from '../../shared/domain/clock-skew.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { failure } from '../../shared/domain/failure.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { ProcessOfDriver, RunEvent } from '../../shared/domain/run.ts'
import { noCommands } from '../fixtures/procedures/own-commands.ts'
import type { Dice } from './dice.ts'
import { HOST, type Wires } from './wire.ts'

/** One process of Lockkeeper in the simulation: the real engine, procedures, adapters and journal over simulated wires and clocks. */
export interface Console {
  readonly name: string
  readonly clock: Clock
  readonly journal: Journal
  readonly engine: RunEngine<MaintenanceWorld>
  readonly driver: ProcessOfDriver
  /** The same runs as the router has them. */
  readonly runs: ReturnType<typeof createRunService>
  /** The namespace that runners and their clients share, in this Kubernetes, over another session. */
  shared(namespace: string): { readonly objects: MaintenanceRunsPort; readonly leases: LeasePort }
  /** Opens both sessions again. */
  connect(): Promise<Result<ControllerWorld>>
  /** Runs our application controllers, until somebody else does. */
  runControllers(world: ControllerWorld): Promise<void>
  /** Whether it drives a run at this instant. */
  isDriving(): boolean
  drives(run: DrivenRun): void
  /** Called when a run opens a question, and when it continues after one. */
  onWaiting: (runId: string, waiting: boolean) => void
}

/** Starts a process over a journal's file. */
export function startConsole(options: {
  readonly name: string
  readonly machine: string
  readonly clock: Clock
  readonly pid: number
  readonly wires: Wires
  readonly dice: Dice
  readonly cluster: Cluster
  readonly journalPath: string
  readonly pidAlive: (pid: number) => boolean
  readonly onAppended: (event: RunEvent) => void
}): Result<Console> {
  const { name, machine, clock, wires, dice, cluster } = options
  const opened = openJournal({ path: options.journalPath, clock })
  if (!opened.ok) return opened
  const journal = opened.value
  const driver: ProcessOfDriver = {
    operator: 'op',
    machine,
    pid: options.pid,
    version: '0',
    id: randomUUID(),
    bootId: `boot of ${machine}`,
  }
  const made: { onWaiting: Console['onWaiting'] } = { onWaiting: () => {} }
  const kept = (event: RunEvent): RunEvent => {
    options.onAppended(event)
    return event
  }
  const liveness = { clock, self: driver, pidAlive: options.pidAlive, heartbeats: new Map() }
  const engine = createRunEngine<MaintenanceWorld>({
    journal: {
      ...journal,
      append: (runId, body, by) => kept(journal.append(runId, body, by)),
      createRun: (runId, body) => kept(journal.createRun(runId, body)),
    },
    registry: maintenanceSteps,
    lease: nodeLeaseKeeper(driver),
    readingOf: (world, signal) => readCluster(world, clock, signal),
    clock,
    log: silentLogger,
    driver,
    liveness,
    newId: () => `r${Math.floor(dice.random() * 36 ** 8).toString(36)}`,
    onEvent: () => {},
    onWaiting: (runId, waiting) => made.onWaiting(runId, waiting),
  })

  const leaseObserver = createLeaseObserver(clock)
  let driven = 0
  const runs = createRunService({ engine, journal, driver, liveness, clock, onRested: () => {} })
  const openSession = () =>
    createKubernetesSession({
      connection: {
        server: new URL(`https://${HOST}:6443`),
        ca: null,
        serverName: null,
        verify: true,
        proxy: null,
        warnings: [],
      },
      credentials: { proof: async () => ok({ headers: {}, certificate: null }), renew: () => false },
      transport: wires.kubernetes,
      clock,
      log: silentLogger,
    })
  const connect: Console['connect'] = async () => {
    const session = openSession()
    const cloud = await login(
      {
        cloud: {
          name: 'sim',
          authUrl: `http://${HOST}/identity/v3`,
          auth: {
            kind: 'password',
            user: { name: 'admin', domainName: 'Default' },
            password: 'embedded-only',
            scope: { kind: 'project', project: { name: 'admin', domainName: 'Default' } },
          },
          regionName: 'RegionOne',
          interface: 'public',
          caCertPath: null,
          insecure: false,
          clientCert: null,
          endpointOverrides: {},
        },
        clock,
        log: silentLogger,
      },
      `http://${HOST}/identity/v3`,
      wires.openstack,
    )
    if (!cloud.ok) return cloud
    const watchMaintenance = createMaintenanceWatch({ session, clock })
    const feeds = createKubernetesFeeds({
      session,
      leaseNamespace: cluster.leaseNamespace,
      clock,
      observer: leaseObserver,
      watchMaintenance,
    })
    const none = async () => failed(failure('not-found', 'Ceph does not exist.'))
    const kubernetes = createKubernetesPort({
      session,
      leaseNamespace: cluster.leaseNamespace,
      leaseObserver,
      clock,
      log: silentLogger,
    })
    const { juju } = wires
    const { cephNamespace: namespace, cephToolbox: selector } = cluster.maintenanceApi
    return ok({
      cluster,
      kubernetes,
      openstack: createOpenStackPort({ session: cloud.value }),
      maintenanceApi: createMaintenanceApi({ session, clock }),
      ceph:
        juju !== null
          ? createCephPort(cephByJuju(juju))
          : cluster.roleMaintenance.ceph === 'toolbox'
            ? createCephPort(cephInToolbox({ exec: createExec(session), kubernetes, namespace, selector }))
            : { status: none, osds: none, osdsReported: none, okToStop: none, setNoout: none, services: none },
      watcher: createWatcherPort({ session: cloud.value, clock }),
      juju,
      microceph: juju === null ? null : createMicroCeph(juju),
      osds: createOsdDaemons({ session, namespace: cluster.maintenanceApi.cephNamespace }),
      commands: noCommands,
      prometheus: null,
      versions: async () => ({}),
      clocks: async signal => (await Promise.all([session.clocks(signal), cloud.value.clocks(signal)])).flat(),
      apiServerClock: async signal =>
        (await session.clocks(signal)).find(({ server }) => server === API_SERVER) ?? null,
      locks: createLockWriter(session),
      watchMaintenance,
      watchNodes: (listener, signal) => {
        const nodes = new Map<string, ClusterNode>()
        return feeds.nodes(
          {
            onChange: (upserts, removedUids) => {
              for (const uid of removedUids) nodes.delete(uid)
              for (const node of upserts) nodes.set(node.uid, node)
              listener.onNodes([...nodes.values()])
            },
            onState: state => {
              if (state.kind !== 'absent') listener.onState(state)
            },
          },
          signal,
        )
      },
    })
  }

  const host = createControllersHost({
    clock,
    log: silentLogger,
    driver,
    newId: () => `c${Math.floor(dice.random() * 36 ** 8).toString(36)}`,
    onChanged: () => {},
  })

  return ok({
    name,
    clock,
    runControllers: async world => {
      for (;;) {
        const started = await host.start(world)
        if (started.ok) await host.ended(cluster.name)
        await clock.sleep(2_000 + dice.below(4_000))
      }
    },
    journal,
    engine,
    connect,
    driver,
    runs,
    shared: namespace => {
      const session = openSession()
      const observer = createLeaseObserver(clock)
      return {
        objects: createMaintenanceRuns({ session, namespace, clock }),
        leases: createLeases({ session, namespace, clock, observer }),
      }
    },
    isDriving: () => driven > 0 || runs.drivenOn(cluster.name).length > 0,
    drives: run => {
      driven += 1
      void run.finished.then(() => {
        driven -= 1
      })
    },
    get onWaiting() {
      return made.onWaiting
    },
    set onWaiting(next) {
      made.onWaiting = next
    },
  })
}
