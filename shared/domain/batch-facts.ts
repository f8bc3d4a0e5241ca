import type { RoleLimit } from './batch-findings.ts'
import type { Instance, ResourceProvider, ServerGroup } from './openstack.ts'
import type { NodeRole } from './roles.ts'

/** All facts that batches are judged by, from one reading (main/procedures/plans/rolling/read-batch-facts.ts); null means unreadable. */
export interface BatchFacts {
  readonly nodes: readonly BatchNode[]
  /** Hosts of nova-compute; null when Nova cannot be read; empty for a cluster without a cloud. */
  readonly hosts: readonly BatchHost[] | null
  /** Every instance of the cloud; null when Nova cannot be read. */
  readonly instances: readonly Instance[] | null
  /** What Nova left out of its list (a down cell), in words. */
  readonly instancesMissing: readonly string[]
  readonly providers: readonly ResourceProvider[] | null
  readonly groups: readonly ServerGroup[] | null
  readonly ceph: BatchCeph
  readonly quorums: readonly BatchQuorum[]
  readonly limits: BatchLimits
}

export interface PlacementFacts
  extends Pick<BatchFacts, 'nodes' | 'hosts' | 'instances' | 'instancesMissing' | 'providers' | 'groups'> {
  /** Ids of the instances that leave, if already decided; absent: tags, states and hosts' modes decide. */
  readonly moving?: ReadonlySet<string>
  /** The only hosts that satisfy special requirements, by instance id; `not-read`: unreadable. Other instances are missing. */
  readonly only?: ReadonlyMap<string, ReadonlySet<string> | 'not-read'>
}

export interface BatchNode {
  readonly name: string
  readonly roles: readonly NodeRole[]
  /** Availability zone of its nova-compute; null: no zone, or unknown. */
  readonly zone: string | null
  /** Nova's name for it; null: not a compute node. */
  readonly host: string | null
  /** Its migration mode (annotation), which decides about untagged instances. */
  readonly hostMode: string | null
  readonly ready: boolean
  /** Why it is already out of service, such as `cordoned`; null: in service. */
  readonly away: string | null
}

export interface BatchHost {
  readonly name: string
  readonly zone: string | null
  /** Enabled and up: the scheduler may choose it now. */
  readonly takes: boolean
  /** It takes instances when its node returns, even if it is disabled for a maintenance now. */
  readonly takesWhenBack: boolean
}

export type BatchCeph =
  | { readonly kind: 'none' }
  /** Ceph cannot be read; every node of role storage counts as its own failure domain. */
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'known'
      /** Rack of every node with OSDs; null: the CRUSH map has no rack above its host. */
      readonly rackOf: ReadonlyMap<string, string | null>
      /** Nodes that may or may not have OSDs; each counts as its own failure domain. */
      readonly unclear: ReadonlySet<string>
      /** Racks whose OSDs may all stop together, by Ceph's own answer (`ceph osd ok-to-stop`). */
      readonly racksMayStop: ReadonlySet<string>
    }

/** A quorum: etcd, Ceph's monitors, or a replicated service of the control plane. */
export interface BatchQuorum {
  /** Such as `etcd`. */
  readonly what: string
  readonly needed: number
  /** `node` null: its node is unknown, so it never counts as staying. */
  readonly members: readonly { readonly name: string; readonly node: string | null; readonly serves: boolean }[]
}

/** How many nodes of a role may be away at a time, and other limits from the cluster's settings. */
export interface BatchLimits {
  /** Null: no separate limit. */
  readonly perRole: Readonly<Record<NodeRole, RoleLimit | null>>
  /** `any`: a role at its limit holds back every other node (docs/domain.md A.4). */
  readonly roleLimits: 'any' | 'own'
  /** Whether the cluster's own controllers refuse a second zone (respect_nova_az). */
  readonly zonesByControllers: boolean
}
