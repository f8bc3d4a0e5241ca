import { ok } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import { resolveCloud } from '../clusters/clouds-yaml.ts'
import type { ConnectKubernetes, ConnectOpenStack } from '../clusters/session-ports.ts'
import type { SessionsOptions } from '../clusters/sessions.ts'
import type { Surroundings } from '../clusters/surroundings.ts'
import type { TokenFiles } from '../clusters/token-files.ts'
import { discoverEviction } from '../kubernetes/eviction.ts'
import { createKubernetesPort } from '../kubernetes/kubernetes-port.ts'
import { openKubernetesSession } from '../kubernetes/session.ts'
import type { Logger } from '../log/logger.ts'
import type { Redactor } from '../log/redact.ts'
import { openOpenStackSession } from '../openstack/keystone-session.ts'
import { createOpenStackPort } from '../openstack/openstack-port.ts'
import { probeNovaPolicies } from '../openstack/policy-probes.ts'
import type { CloudCredentials } from '../openstack/resolved-cloud.ts'

/** How this process reaches clusters: the real adapters behind the ports of main/clusters. */
export interface Connectors {
  readonly connectKubernetes: ConnectKubernetes
  readonly connectOpenStack: ConnectOpenStack
  /** The same without a kept token: a test of the cloud is about logging in too. */
  readonly connectOpenStackAfresh: ConnectOpenStack
  /** Passwords that are loaded are known to the log's redaction from then on. */
  readonly resolveCloud: SessionsOptions['resolveCloud']
}

export function openConnectors(options: {
  readonly surroundings: Surroundings
  readonly clock: Clock
  readonly log: Logger
  readonly redactor: Redactor
  readonly tokens: TokenFiles
}): Connectors {
  const { surroundings, clock, log, redactor, tokens } = options
  return {
    connectKubernetes: connectKubernetes(clock, log),
    connectOpenStack: connectOpenStack(clock, log, tokens),
    connectOpenStackAfresh: connectOpenStack(clock, log, null),
    resolveCloud: async source => {
      const cloud = await resolveCloud(source, surroundings)
      if (cloud.ok) for (const secret of secretsOf(cloud.value.auth)) redactor.registerSecret(secret)
      return cloud
    },
  }
}

function connectKubernetes(clock: Clock, log: Logger): ConnectKubernetes {
  return async (cluster, consent) => {
    const opened = await openKubernetesSession({
      source: cluster.kubeconfig,
      consent,
      clock,
      log: log.child('kubernetes'),
    })
    if (!opened.ok) return opened
    const session = opened.value
    return ok({
      host: session.host,
      warnings: session.warnings,
      port: createKubernetesPort({
        session,
        leaseNamespace: cluster.leaseNamespace,
        clock,
        log: log.child('kubernetes'),
      }),
      version: signal => session.version(signal),
      evictionVersion: signal => discoverEviction(session, signal),
      close: () => session.close(),
    })
  }
}

function connectOpenStack(clock: Clock, log: Logger, tokens: TokenFiles | null): ConnectOpenStack {
  return async cloud => {
    const opened = await openOpenStackSession({
      cloud,
      clock,
      log,
      ...(tokens === null ? {} : { keeper: tokens.of(cloud) }),
    })
    if (!opened.ok) return opened
    const session = opened.value
    return ok({
      warnings: session.warnings,
      port: createOpenStackPort({ session }),
      identity: () => session.identity(),
      has: service => session.has(service),
      microversion: (service, signal) => session.microversion(service, signal),
      probePolicies: signal => probeNovaPolicies(session, signal),
      close: () => session.close(),
    })
  }
}

function secretsOf(auth: CloudCredentials): readonly string[] {
  switch (auth.kind) {
    case 'password':
      return [auth.password]
    case 'application-credential':
      return [auth.secret]
    case 'token':
      return [auth.token]
  }
}
