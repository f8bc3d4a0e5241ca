import type { KubernetesSession } from '../../main/adapters/kubernetes/session.ts'
import type { OpenStackSession } from '../../main/adapters/openstack/openstack-session.ts'
import type { KubernetesPort } from '../../main/ports/kubernetes.ts'
import type { LockWriterPort, MaintenanceApiPort, WatchMaintenance } from '../../main/ports/maintenance-api.ts'
import type { OpenStackPort } from '../../main/ports/openstack.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { Result } from '../../shared/domain/result.ts'

/** A cloud the contract tests run against: the embedded one or the real lab. Nodes and hosts are named by their role in the tests. */
export interface ContractTarget {
  readonly name: string
  readonly kubernetes: KubernetesPort
  /** For requests that our ports never send. */
  readonly session: KubernetesSession
  readonly maintenanceApi: MaintenanceApiPort
  readonly locks: LockWriterPort
  readonly watchMaintenance: WatchMaintenance
  readonly openstack: OpenStackPort
  /** For what a port does not return: the headers of answers. */
  readonly openstackSession: OpenStackSession
  /** The same cloud as a plain user, without the admin role. */
  readonly openstackAsUser: OpenStackPort
  /** The same cluster as a user without any rights; null where there is none. */
  readonly kubernetesWithoutRights: KubernetesPort | null
  readonly computeNode: string
  readonly controlNode: string
  /** A server that may be moved and comes back. */
  readonly movableServer: string
  readonly pausedServer: string
  readonly stoppedServer: string
  readonly erroredServer: string
  close(): Promise<void>
}

/** The value of an answer that must succeed. */
export function value<T>(answer: Result<T>): T {
  if (!answer.ok) throw new Error(`${answer.failure.code}: ${answer.failure.message}`)
  return answer.value
}

/** The failure of an answer that must fail. */
export function failureOf<T>(answer: Result<T>): Failure {
  if (answer.ok) throw new Error(`expected a failure, got ${JSON.stringify(answer.value)}`)
  return answer.failure
}

/** Polls until the condition is true; the limit is generous, for slow machines. */
export async function until<T>(what: string, look: () => Promise<T | null>, limitMs = 90_000): Promise<T> {
  const end = Date.now() + limitMs
  for (;;) {
    const seen = await look()
    if (seen !== null) return seen
    if (Date.now() > end) throw new Error(`not so after ${limitMs / 1000} s: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 250))
  }
}
