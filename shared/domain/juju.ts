/** The Juju facts that rules are written over: plain values, read by main/adapters/juju. */

/** A unit of an application, and the machine it runs on. */
export interface JujuUnit {
  /** `microceph/0`. */
  readonly name: string
  readonly application: string
  readonly machine: string
  /** Hostname of the machine as Juju tells it; null while it does not know. */
  readonly hostname: string | null
  readonly workload: { readonly status: string; readonly message: string }
  readonly agent: { readonly status: string; readonly message: string }
  readonly isLeader: boolean
}

/** What a model holds now. */
export interface JujuStatus {
  readonly model: string
  /** Cloud type of the model, such as `manual`, `maas`, `lxd`, `k8s`. */
  readonly cloudType: string
  readonly controllerVersion: string
  readonly units: readonly JujuUnit[]
}

/** How an action on a unit ended. */
export interface JujuActionOutcome {
  readonly id: string
  readonly status: 'completed' | 'failed' | 'cancelled' | 'aborted' | 'error'
  readonly message: string
  /** The action's results, keys as the charm set them. */
  readonly output: Readonly<Record<string, unknown>>
}
