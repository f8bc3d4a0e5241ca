import { ok } from '../../shared/domain/result.ts'
import { createCephPort } from '../adapters/ceph/ceph-port.ts'
import { cephByJuju, createMicroCeph } from '../adapters/ceph/microceph.ts'
import { cephInToolbox } from '../adapters/ceph/toolbox.ts'
import { createJujuPort } from '../adapters/juju/juju-port.ts'
import { discoverEviction } from '../adapters/kubernetes/eviction.ts'
import { createExec } from '../adapters/kubernetes/exec.ts'
import { createKubernetesFeeds } from '../adapters/kubernetes/feeds.ts'
import { createKubernetesPort } from '../adapters/kubernetes/kubernetes-port.ts'
import { createLeaseObserver } from '../adapters/kubernetes/lease-observer.ts'
import { createLockWriter } from '../adapters/kubernetes/lock-writer.ts'
import { createMaintenanceApi } from '../adapters/kubernetes/maintenance-api.ts'
import { createOsdDaemons } from '../adapters/kubernetes/osd-daemons.ts'
import { openKubernetesSession } from '../adapters/kubernetes/session.ts'
import { readLcmReport } from '../adapters/kubernetes/update-plans.ts'
import { createMaintenanceWatch } from '../adapters/kubernetes/watch-maintenance.ts'
import { openOpenStackSession } from '../adapters/openstack/keystone-session.ts'
import { probeMasakariPolicies } from '../adapters/openstack/masakari-probes.ts'
import { createOpenStackPort } from '../adapters/openstack/openstack-port.ts'
import { probeNovaPolicies } from '../adapters/openstack/policy-probes.ts'
import { createWatcherPort } from '../adapters/openstack/watcher/watcher-port.ts'
import { probeWatcherPolicies } from '../adapters/openstack/watcher/watcher-probes.ts'
import type { ConnectJuju, ConnectKubernetes, ConnectOpenStack, OnRequest } from '../clusters/session-ports.ts'
import type { TokenFiles } from '../clusters/token-files.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'

/** How this process reaches clusters: the real adapters behind the ports of main/clusters. */
interface Connectors {
  readonly connectKubernetes: ConnectKubernetes
  readonly connectOpenStack: ConnectOpenStack
  /** Like `connectOpenStack`, but without a stored token, so that a test of the cloud also tests the login. */
  readonly reconnectOpenStack: ConnectOpenStack
  readonly connectJuju: ConnectJuju
}

export function openConnectors(options: {
  readonly clock: Clock
  readonly log: Logger
  readonly tokens: TokenFiles
  /** Gets every secret that is used, so that no log line contains it. */
  readonly registerSecret: (secret: string) => void
  /** Called for each request, to count them. */
  readonly onRequest?: OnRequest | undefined
}): Connectors {
  const { clock, log, tokens, registerSecret, onRequest = () => {} } = options
  return {
    connectKubernetes: connectKubernetes(clock, log, registerSecret, onRequest),
    connectOpenStack: connectOpenStack(clock, log, tokens, onRequest),
    reconnectOpenStack: connectOpenStack(clock, log, null, onRequest),
    connectJuju: resolve => {
      const { port, close } = createJujuPort({ resolve, clock, log: log.child('juju') })
      return { port, microceph: createMicroCeph(port), ceph: createCephPort(cephByJuju(port)), close }
    },
  }
}

function connectKubernetes(
  clock: Clock,
  log: Logger,
  registerSecret: (secret: string) => void,
  onRequest: OnRequest,
): ConnectKubernetes {
  const observer = createLeaseObserver(clock)
  return async (cluster, consent) => {
    const opened = await openKubernetesSession({
      source: cluster.kubeconfig,
      consent,
      clock,
      log: log.child('kubernetes'),
      registerSecret,
      onRequest: () => onRequest('kubernetes'),
    })
    if (!opened.ok) return opened
    const session = opened.value
    const port = createKubernetesPort({
      session,
      leaseNamespace: cluster.leaseNamespace,
      leaseObserver: observer,
      clock,
      log: log.child('kubernetes'),
    })
    const watchMaintenance = createMaintenanceWatch({ session, clock })
    const { cephNamespace, cephToolbox } = cluster.maintenanceApi
    return ok({
      host: session.host,
      warnings: session.warnings,
      port,
      feeds: createKubernetesFeeds({
        session,
        leaseNamespace: cluster.leaseNamespace,
        clock,
        observer,
        watchMaintenance,
      }),
      maintenanceApi: createMaintenanceApi({ session, clock }),
      ceph: createCephPort(
        cephInToolbox({
          exec: createExec(session),
          kubernetes: port,
          namespace: cephNamespace,
          selector: cephToolbox,
        }),
      ),
      osds: createOsdDaemons({ session, namespace: cephNamespace }),
      locks: createLockWriter(session),
      watchMaintenance,
      readLcmReport: readLcmReport(session),
      session,
      version: signal => session.version(signal),
      clocks: signal => session.clocks(signal),
      evictionVersion: signal => discoverEviction(session, signal),
      close: () => session.close(),
    })
  }
}

function connectOpenStack(
  clock: Clock,
  log: Logger,
  tokens: TokenFiles | null,
  onRequest: OnRequest,
): ConnectOpenStack {
  return async (cloud, isAgreed) => {
    const opened = await openOpenStackSession({
      cloud,
      isAgreed,
      clock,
      log,
      onRequest: () => onRequest('openstack'),
      ...(tokens === null ? {} : { keeper: tokens.of(cloud) }),
    })
    if (!opened.ok) return opened
    const session = opened.value
    return ok({
      warnings: session.warnings,
      port: createOpenStackPort({ session }),
      watcher: createWatcherPort({ session, clock }),
      identity: () => session.identity(),
      has: service => session.has(service),
      foreignEndpoints: () => session.foreignEndpoints(),
      microversion: (service, signal) => session.microversion(service, signal),
      clocks: signal => session.clocks(signal),
      probePolicies: signal => probeNovaPolicies(session, signal),
      probeWatcherPolicies: signal => probeWatcherPolicies(session, signal),
      probeMasakariPolicies: signal => probeMasakariPolicies(session, signal),
      close: () => session.close(),
    })
  }
}
