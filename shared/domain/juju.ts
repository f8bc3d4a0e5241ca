/** Facts about Juju that rules use; main/adapters/juju reads them. */

export interface JujuUnit {
  /** `microceph/0`. */
  readonly name: string
  readonly application: string
  readonly machine: string
  /** Hostname of the machine in Juju; null: still unknown. */
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
  /** The action's results, with the charm's keys. */
  readonly output: Readonly<Record<string, unknown>>
}
