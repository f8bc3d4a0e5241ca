export interface JujuUnit {
  readonly name: string
  readonly application: string
  readonly machine: string
  /** The machine's in Juju; null means still unknown. */
  readonly hostname: string | null
  readonly workload: { readonly status: string; readonly message: string }
  readonly agent: { readonly status: string; readonly message: string }
  readonly isLeader: boolean
}

export interface JujuStatus {
  readonly model: string
  /** Cloud type of the model, such as `manual`, `maas`, `lxd`, `k8s`. */
  readonly cloudType: string
  readonly controllerVersion: string
  readonly units: readonly JujuUnit[]
}

export interface JujuActionOutcome {
  readonly id: string
  readonly status: 'completed' | 'failed' | 'cancelled' | 'aborted' | 'error'
  readonly message: string
  readonly output: Readonly<Record<string, unknown>>
}
