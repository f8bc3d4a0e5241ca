import type { Contract } from '../../../shared/contract/index.ts'
import type { PlayedSituation } from '../../../shared/domain/demo-situations.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { RoleMaintenanceSettings } from '../../../shared/domain/role-maintenance.ts'
import type { ClockChoice } from '../../../shared/grammar/times.ts'
import type { Examination, Finding } from '../../compose/doctor/finding.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { CalendarFeed } from '../../platform/settings/calendar-feed.ts'

/** A channel that lines are written to. */
export interface OutputChannel {
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

/** The signals that ask us to stop. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** The application behind the contract, opened for one command. */
interface OpenedApp {
  readonly contract: Contract
  readonly calendarFeed: CalendarFeed
  close(): Promise<void>
}

/** One embedded cloud, as main/wings/simulators starts it. */
export interface DemoCluster {
  readonly name: string
  readonly kubeconfigPath: string
  readonly context: string
  readonly cloudsYamlPath: string
  readonly cloud: string
  /** `mosk`: it has the node maintenance API, controllers that answer, and an update plan. */
  readonly flavour?: 'plain' | 'mosk' | 'sunbeam'
  /** Its Juju controller, of a `sunbeam` cloud. */
  readonly roleMaintenance?: Pick<RoleMaintenanceSettings, 'juju'>
  /** Path of kubectl to the update plan of a `mosk` cloud, such as `clusterupdateplan/x`, in the namespace `default`. */
  readonly updatePlan?: string | null
}

/** What the operator wants of the embedded clouds. */
interface DemoChoices {
  /** Tungsten Fabric instead of Neutron's agents in demo-mosk. */
  readonly tungstenFabric: boolean
  /** The scripted LCM of demo-mosk begins its update at once instead of waiting to be told. */
  readonly update: boolean
  /** Masakari watches the compute nodes of demo-plain. */
  readonly masakari: boolean
  /** The Juju controller of demo-sunbeam runs in its Kubernetes. */
  readonly jujuInCluster: boolean
  /** demo-sunbeam has a compute-only machine outside of Kubernetes. */
  readonly computeOnly: boolean
  /** demo-sunbeam has a storage-only machine outside of Kubernetes. */
  readonly storageOnly: boolean
  /** What is played at nodes of demo-plain. */
  readonly play: readonly PlayedSituation[]
  /** Which release of Kubernetes the clouds answer like. */
  readonly release: '1.36' | '1.20'
}

/** The embedded clouds, running until stopped. */
export interface DemoClouds {
  readonly clusters: readonly DemoCluster[]
  stop(): Promise<void>
}

/** What the served console is opened with. */
export interface ServeRequest {
  readonly dataDirectory: string | null
  readonly demo: boolean
  /** 0: any free one. */
  readonly port: number
  readonly alsoCalled: readonly string[]
}

/** The console as browsers of this machine reach it. */
export interface OpenedConsole {
  readonly port: number
  /** A fresh address that lets one browser in, once. */
  freshAddress(): string
  /** Opens an address in the operator's browser; false where there is no display. */
  openBrowser(address: string): Promise<boolean>
  stop(): Promise<void>
}

/** What a runner is started with; null: as its pod has it. */
export interface RunnerRunRequest {
  readonly namespace: string | null
  readonly kubeconfig: string | null
  readonly dataDirectory: string | null
  readonly secretsDirectory: string | null
  readonly shard: { readonly index: number; readonly of: number }
  /** Its volume is on no Ceph whose OSDs it stops. */
  readonly isVolumeElsewhere: boolean
  readonly pod: { readonly name: string | null; readonly nodeName: string | null }
  readonly port: number
}

/** How to install a runner; null: as usual. */
interface ManifestsWish {
  readonly namespace: string | null
  readonly image: string | null
  readonly replicas: number
  /** Minor of the oldest Kubernetes 1.x that takes it. */
  readonly minor: number
  readonly admission: boolean
  readonly isVolumeElsewhere: boolean
}

interface PrintedManifests {
  readonly items: readonly object[]
  readonly lines: readonly string[]
}

/** A runner in this process. */
export interface StartedRunner {
  /** Resolves when it has ended in good order. */
  readonly ended: Promise<void>
  stop(): void
}

/** What an examination is asked for. */
interface ExamineRequest {
  readonly dataDirectory: string | null
  readonly demo: boolean
  readonly cluster: string | null
  readonly onFindings: (findings: readonly Finding[]) => void
}

/** Everything the terminal face takes from the process it runs in, so that a test can stand in for all of it. */
export interface CliProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workDirectory: string
  readonly out: OutputChannel
  readonly err: OutputChannel
  readonly clock: Clock
  /** By which clock times are written. */
  readonly clockChoice: ClockChoice
  /** Whether a person can be asked: standard input is a terminal. */
  readonly canAsk: boolean
  /** One line typed by the operator; null when the input ended or the signal aborted. */
  readLine(signal: AbortSignal): Promise<string | null>
  /** Calls back on each stop signal instead of ending the process; answers how to stop that. */
  onStopSignal(onSignal: (signal: StopSignal) => void): () => void
  /** A fresh folder of our own, gone after `remove`. */
  temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }>
  openApp(options: { readonly dataDirectory: string | null; readonly demo: boolean }): Promise<Result<OpenedApp>>
  startDemoClouds(directory: string, choices: DemoChoices): Promise<Result<DemoClouds>>
  /** Looks at what Lockkeeper needs, without the application, and writes nothing. */
  examine(request: ExamineRequest): Promise<Examination>
  serveConsole(request: ServeRequest): Promise<Result<OpenedConsole>>
  runRunner(request: RunnerRunRequest): Promise<Result<StartedRunner>>
  /** What installs a runner in a cluster, as objects and as lines for kubectl. */
  printManifests(wish: ManifestsWish): Promise<Result<PrintedManifests>>
  /** Keeps the command whose folder this is, until it ends: what a process does that {@link KEEP} was given to. */
  keepCommand(place: string): Promise<void>
  /** Reads a journal of somebody else into a copy: what a process does that {@link READ_JOURNAL} was given to. */
  copyForeign(file: string, to: string): Promise<Result<{ readonly path: string; readonly head: string | null }>>
  readonly pid: number
}
