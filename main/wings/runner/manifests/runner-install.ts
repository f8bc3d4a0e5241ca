/** What a runner is called in its namespace: its StatefulSet, ServiceAccount, Service and roles. */
export const RUNNER = 'lockkeeper-runner'

/** Where consoles and runners keep their Leases of nodes, unless a cluster's settings say otherwise. */
export const LEASE_NAMESPACE = 'default'

/** The default namespace of a runner. */
export const RUNNER_NAMESPACE = 'lockkeeper'

/** The labels of every object that belongs to this installation alone. */
export const LABELS = { 'app.kubernetes.io/name': RUNNER, 'app.kubernetes.io/part-of': 'lockkeeper' } as const

export const SELECTOR = { 'app.kubernetes.io/name': RUNNER } as const

export interface RunnerInstall {
  readonly namespace: string
  readonly image: string
  /** Pods, each with a volume and its part of the clouds. */
  readonly replicas: number
  /** Minor version of the oldest Kubernetes 1.x that must accept it: features that it lacks are left out. */
  readonly minor: number
  /** Whether the API server is to prove who confirmed (1.30 and later). */
  readonly admission: boolean
  /** Whether the installer says that the runner's volume is on no Ceph whose OSDs it stops. */
  readonly isVolumeElsewhere: boolean
}

/** The minor version of Kubernetes 1.x that introduced each feature of the installation. */
export const SINCE = { budgetsV1: 21, rules: 25, admission: 30 } as const
