/** Where Rockoon and our controller leave a lock in another state. docs/real-clusters.md has the same reasons. */
interface Difference {
  readonly reason: string
  /** The names of the situations; only matching ones that really differ count. */
  readonly names: RegExp
  /** How many differ: one more or fewer is a change that somebody has to look at. */
  readonly count: number
}

export const FROM_ROCKOON: readonly Difference[] = [
  {
    reason: 'Where no release is set, Lockkeeper takes the release of every request; Rockoon then answers none.',
    names:
      /: all Ready; APPLIED; no release|: an application beside the services Ready; APPLIED; no release|none set here; lock active/,
    count: 6,
  },
  {
    reason:
      'Lockkeeper writes its release on the lock of the cluster itself; Rockoon waits until its deployment has been applied with the new release.',
    names: /; APPLIED; a lock (of another|without a) release$/,
    count: 4,
  },
  {
    reason:
      'Lockkeeper compares the release in the status of the deployment with its own; Rockoon compares the version of its program there.',
    names: /Ready; APPLIED; a status of another release$|another version of the controller$/,
    count: 3,
  },
  {
    reason:
      'Every component in the health of the deployment has to be Ready, and there has to be one; Rockoon passes over applications that the deployment does not ask for.',
    names: /an application beside the services Unhealthy; APPLIED; |no services asked for, none there$/,
    count: 5,
  },
  {
    reason:
      'Lockkeeper answers for a node as long as its lock is there, also when its labels say no role any more; Rockoon removes that lock.',
    names: /^node: a node without a role/,
    count: 39,
  },
  {
    reason:
      'A node whose lock is inactive counts as begun, whether the lock is marked or not, and one whose labels say no role counts in every role.',
    names: /^node: a (control|gateway|compute).*(a node without a role begun|not marked as begun)/,
    count: 24,
  },
  {
    reason:
      'Where zones count, Lockkeeper compares with the compute nodes that started before; Rockoon compares with the first lock by name, which may be that of the node itself.',
    names: /^node: .*compute node( too)?; a compute node of another zone begun, listed after it; zones count$/,
    count: 2,
  },
  {
    reason: 'A pod that has ended or is being deleted does not keep a node from being back.',
    names: /^back: a pod (of a ReplicaSet that (has ended|failed)|on its way out); Ready is True$/,
    count: 3,
  },
  {
    reason:
      'A node is back when its pods are ready, also where the cluster has no OpenStackDeployment; Rockoon does not look at them then.',
    names: /^back: no deployment; /,
    count: 5,
  },
]
