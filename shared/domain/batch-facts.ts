import type { RoleLimit } from './batch-findings.ts'
import type { Instance, ResourceProvider, ServerGroup } from './openstack.ts'
import type { NodeRole } from './roles.ts'

/** All that batches are judged by, from one reading (main/procedures/plans/rolling/read-batch-facts.ts); null if unreadable. */
export interface BatchFacts {
  readonly nodes: readonly BatchNode[]
  /** Null if Nova is unreadable; empty means a cluster without a cloud. */
  readonly hosts: readonly BatchHost[] | null
  readonly instances: readonly Instance[] | null
  /** What Nova left out of its list, such as a down cell, in words. */
  readonly instancesMissing: readonly string[]
  readonly providers: readonly ResourceProvider[] | null
  readonly groups: readonly ServerGroup[] | null
  readonly ceph: BatchCeph
  readonly quorums: readonly BatchQuorum[]
  readonly limits: BatchLimits
}

export interface PlacementFacts
  extends Pick<BatchFacts, 'nodes' | 'hosts' | 'instances' | 'instancesMissing' | 'providers' | 'groups'> {
  /** Instances that leave, if decided; absent means tags, states and hosts' modes decide. */
  readonly moving?: ReadonlySet<string>
  /** Keyed by instance id: the only hosts that meet its special requirements. Other instances are missing. */
  readonly only?: ReadonlyMap<string, ReadonlySet<string> | 'not-read'>
}

export interface BatchNode {
  readonly name: string
  readonly roles: readonly NodeRole[]
  /** Of its nova-compute; null if there is no zone, or unknown. */
  readonly zone: string | null
  readonly host: string | null
  /** The mode for untagged instances. */
  readonly hostMode: string | null
  readonly ready: boolean
  /** Why it is out of service, such as `cordoned`; null means in service. */
  readonly away: string | null
}

export interface BatchHost {
  readonly name: string
  readonly zone: string | null
  readonly takes: boolean
  /** It takes instances when its node returns, even if a maintenance disabled it. */
  readonly takesWhenBack: boolean
}

export type BatchCeph =
  | { readonly kind: 'none' }
  /** Every node of role storage counts as its own failure domain. */
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'known'
      /** For every node with OSDs; null if the CRUSH map has no rack above its host. */
      readonly rackOf: ReadonlyMap<string, string | null>
      /** They may have OSDs; each counts as its own failure domain. */
      readonly unclear: ReadonlySet<string>
      /** Racks whose OSDs may all stop together (`ceph osd ok-to-stop`). */
      readonly racksMayStop: ReadonlySet<string>
    }

/** etcd, Ceph's monitors, or a replicated service of the control plane. */
export interface BatchQuorum {
  readonly what: string
  readonly needed: number
  /** `node` null: unknown, so it never counts as staying. */
  readonly members: readonly { readonly name: string; readonly node: string | null; readonly serves: boolean }[]
}

export interface BatchLimits {
  /** Null if there is no separate limit. */
  readonly perRole: Readonly<Record<NodeRole, RoleLimit | null>>
  /** `any`: a role at its limit holds back every other node (docs/domain.md A.4). */
  readonly roleLimits: 'any' | 'own'
  /** The cluster's own controllers refuse a second zone (respect_nova_az). */
  readonly zonesByControllers: boolean
}
