/** A machine of the simulated model. */
interface SimulatedMachine {
  /** `0`, as Juju numbers them. */
  readonly id: string
  readonly hostname: string
  readonly address: string
}

/** A unit of a simulated application. The first unit leads. */
export interface SimulatedUnit {
  /** `microceph/0`. */
  readonly name: string
  /** Id of its machine. */
  readonly machine: string
}

/** An application of the simulated model. */
export interface SimulatedApplication {
  readonly name: string
  readonly units: readonly SimulatedUnit[]
  /** Settings with the value they have now, such as `bootstrap-datastore: dqlite`. */
  readonly config: Readonly<Record<string, boolean | number | string>>
  /** What its charm can do; Juju refuses other names. */
  readonly actions: Readonly<Record<string, ActionHandler>>
}

/** The model with the machines of a cloud, and how commands on them are answered. */
export interface JujuWorld {
  readonly model: {
    readonly owner: string
    readonly name: string
    /** Provider of its cloud: `manual`, `maas`, `lxd`. */
    readonly cloudType: string
  }
  readonly machines: readonly SimulatedMachine[]
  readonly applications: readonly SimulatedApplication[]
  /** Answers what is run on the machine of a unit (`juju exec`). */
  readonly onExec: ExecHandler
}

/** What an action was asked for. */
export interface ActionCall {
  readonly unit: string
  readonly hostname: string
  readonly action: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** How a charm's action ended: `message` is why it failed, `output` what it set. */
export interface ActionEnd {
  readonly status: 'completed' | 'failed'
  readonly message?: string
  readonly output: Readonly<Record<string, unknown>>
}

/** The work of a charm's action; it may take its time. */
export type ActionHandler = (call: ActionCall) => ActionEnd | Promise<ActionEnd>

/** What a command on a machine printed. */
export interface ExecEnd {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Answers a command on a unit's machine. */
export type ExecHandler = (call: {
  readonly unit: string
  readonly hostname: string
  readonly command: string
}) => ExecEnd | Promise<ExecEnd>
