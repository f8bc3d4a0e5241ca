/** A machine of the simulated model. */
export interface SimulatedMachine {
  /** Juju's number of the machine, such as `0`. */
  readonly id: string
  readonly hostname: string
  readonly address: string
}

/** A unit of a simulated application. The first unit is the leader. */
export interface SimulatedUnit {
  readonly name: string
  readonly machine: string
}

export interface SimulatedApplication {
  readonly name: string
  readonly units: readonly SimulatedUnit[]
  /** Current settings, such as `bootstrap-datastore: dqlite`. */
  readonly config: Readonly<Record<string, boolean | number | string>>
  /** The charm's actions; Juju refuses other names. */
  readonly actions: Readonly<Record<string, ActionHandler>>
}

/** The model, its machines and the handlers of commands on them. */
export interface JujuWorld {
  readonly model: {
    readonly owner: string
    readonly name: string
    /** Provider of its cloud: `manual`, `maas` or `lxd`. */
    readonly cloudType: string
  }
  readonly machines: readonly SimulatedMachine[]
  readonly applications: readonly SimulatedApplication[]
  readonly onExec: ExecHandler
}

/** One request to run an action. */
export interface ActionCall {
  readonly unit: string
  readonly hostname: string
  readonly action: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The result of an action: `message` is the error, `output` the results that the charm set. */
export interface ActionEnd {
  readonly status: 'completed' | 'failed'
  readonly message?: string
  readonly output: Readonly<Record<string, unknown>>
}

/** Runs a charm's action; it may take time. */
export type ActionHandler = (call: ActionCall) => ActionEnd | Promise<ActionEnd>

/** The output of a command on a machine. */
export interface ExecEnd {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command on a unit's machine. */
export type ExecHandler = (call: {
  readonly unit: string
  readonly hostname: string
  readonly command: string
}) => ExecEnd | Promise<ExecEnd>
