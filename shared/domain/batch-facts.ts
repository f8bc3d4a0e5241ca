import type { RoleLimit } from './batch-findings.ts'
import type { Instance, ResourceProvider, ServerGroup } from './openstack.ts'
import type { NodeRole } from './roles.ts'

/** Everything batches are judged by, read in one pass (main/procedures/plans/rolling/read-batch-facts.ts): plain values, null where nobody could tell. */
export interface BatchFacts {
  /** All nodes of the cluster. */
  readonly nodes: readonly BatchNode[]
  /** Hosts of nova-compute; null when Nova could not be asked; empty for a cluster without a cloud. */
  readonly hosts: readonly BatchHost[] | null
  /** Every instance of the cloud; null when Nova could not be asked. */
  readonly instances: readonly Instance[] | null
  /** What Nova left out of its list (a down cell), in words. */
  readonly instancesMissing: readonly string[]
  readonly providers: readonly ResourceProvider[] | null
  readonly groups: readonly ServerGroup[] | null
  readonly ceph: BatchCeph
  readonly quorums: readonly BatchQuorum[]
  readonly limits: BatchLimits
}

/** What instances are placed by, whoever takes hosts out: a part of the whole ground. */
export interface PlacementFacts
  extends Pick<BatchFacts, 'nodes' | 'hosts' | 'instances' | 'instancesMissing' | 'providers' | 'groups'> {
  /** Ids of the instances that leave, where that is decided already; absent: their tags, states and hosts' modes decide. */
  readonly moving?: ReadonlySet<string>
  /** The only hosts that an instance may go to by what it asks specially, by its id. Who asks nothing of that kind is not in it; `not-read`: that could not be asked. */
  readonly only?: ReadonlyMap<string, ReadonlySet<string> | 'not-read'>
}

/** A node as the rules of batches see it. */
export interface BatchNode {
  readonly name: string
  readonly roles: readonly NodeRole[]
  /** Availability zone of its nova-compute; null when it has none or nobody knows. */
  readonly zone: string | null
  /** Nova's name for it; null when it computes nothing. */
  readonly host: string | null
  /** Its migration mode (annotation), which decides about untagged instances. */
  readonly hostMode: string | null
  readonly ready: boolean
  /** Why it is out of service already, such as `cordoned`; null while it serves. */
  readonly away: string | null
}

/** A host of nova-compute as a destination. */
export interface BatchHost {
  readonly name: string
  readonly zone: string | null
  /** Enabled and up: the scheduler may choose it now. */
  readonly takes: boolean
  /** It takes instances once its node is back from maintenance: also one that is disabled for a maintenance now. */
  readonly takesWhenBack: boolean
}

/** What Ceph keeps on the nodes. */
export type BatchCeph =
  /** The cluster has no Ceph that we know of. */
  | { readonly kind: 'none' }
  /** It could not be asked; nodes of role storage are taken for failure domains of their own. */
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'known'
      /** Rack of every node with OSDs; null: the CRUSH map puts its host under none. */
      readonly rackOf: ReadonlyMap<string, string | null>
      /** Nodes of which nobody can tell whether they have OSDs; each is taken for a failure domain of its own. */
      readonly unclear: ReadonlySet<string>
      /** Racks of which Ceph itself said that all these OSDs may stop together (`ceph osd ok-to-stop`). */
      readonly racksMayStop: ReadonlySet<string>
    }

/** Members of which enough have to stay: etcd, Ceph's monitors, a replicated service of the control plane. */
export interface BatchQuorum {
  /** Such as `etcd`. */
  readonly what: string
  readonly needed: number
  /** `node` null: where it runs is not known, so it is never counted as staying. */
  readonly members: readonly { readonly name: string; readonly node: string | null; readonly serves: boolean }[]
}

/** How many nodes of a role may be away at once, and what else the cluster's settings ask. */
export interface BatchLimits {
  /** Null: no limit of its own. */
  readonly perRole: Readonly<Record<NodeRole, RoleLimit | null>>
  /** `any`: a role at its limit holds back every other node (docs/domain.md A.4). */
  readonly roleLimits: 'any' | 'own'
  /** Whether the controllers of the cluster themselves refuse a second zone (respect_nova_az). */
  readonly zonesByControllers: boolean
}
