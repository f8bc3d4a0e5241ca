import type { Contract, DemoState } from '../../../shared/contract/index.ts'
import type { PlayedSituation } from '../../../shared/domain/demo-situations.ts'
import type { Trouble } from '../../../shared/domain/demo-troubles.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { ClockChoice } from '../../../shared/grammar/times.ts'
import type { Examination, Finding } from '../../compose/doctor/finding.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { CalendarFeed } from '../../platform/settings/calendar-feed.ts'
import type { DemoCluster as EmbeddedCloud, DemoClouds as EmbeddedClouds } from '../../ports/demo-clouds.ts'

export interface OutputChannel {
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

interface OpenedApp {
  readonly contract: Contract
  readonly calendarFeed: CalendarFeed
  close(): Promise<void>
}

/** One demo cloud, as the terminal prints it. */
export type DemoCluster = Pick<EmbeddedCloud, 'name' | 'kubeconfigPath' | 'context' | 'cloudsYamlPath' | 'cloud'> &
  Partial<Pick<EmbeddedCloud, 'flavour' | 'updatePlan'>> & {
    /** The Juju controller of a `sunbeam` cloud. */
    readonly roleMaintenance?: Pick<EmbeddedCloud['roleMaintenance'], 'juju'>
  }

export interface DemoChoices {
  /** Tungsten Fabric instead of Neutron's agents in demo-mosk. */
  readonly tungstenFabric: boolean
  /** The scripted LCM of demo-mosk starts its update immediately. */
  readonly update: boolean
  /** Masakari watches the compute nodes of demo-plain. */
  readonly masakari: boolean
  /** The Juju controller of demo-sunbeam runs in its Kubernetes. */
  readonly jujuInCluster: boolean
  /** demo-sunbeam has a compute-only machine outside of Kubernetes. */
  readonly computeOnly: boolean
  /** demo-sunbeam has a storage-only machine outside of Kubernetes. */
  readonly storageOnly: boolean
  /** Situations of nodes of demo-plain. */
  readonly play: readonly PlayedSituation[]
  /** Troubles of demo-plain that are on from the start. */
  readonly troubles: readonly Trouble[]
  /** The Kubernetes release that the clouds imitate. */
  readonly release: '1.36' | '1.20'
}

export interface DemoClouds {
  readonly clusters: readonly DemoCluster[]
  readonly troubles: Pick<EmbeddedClouds['troubles'], 'list'>
  stop(): Promise<void>
}

export interface ServeRequest {
  readonly dataDirectory: string | null
  readonly demo: boolean
  /** What a demo does from its start. */
  readonly demoWish: { readonly troubles: readonly Trouble[]; readonly update: boolean; readonly runner: boolean }
  /** 0: any free port. */
  readonly port: number
  readonly alsoCalled: readonly string[]
}

export interface OpenedConsole {
  readonly port: number
  /** A new address that works once, for one browser. */
  freshAddress(): string
  /** Opens an address in the operator's browser; false without a display. */
  openBrowser(address: string): Promise<boolean>
  /** The demo as it is now, and then after each change, until the returned function is called. */
  onDemo(listener: (demo: DemoState) => void): () => void
  stop(): Promise<void>
}

interface ExamineRequest {
  readonly dataDirectory: string | null
  readonly demo: boolean
  readonly cluster: string | null
  readonly onFindings: (findings: readonly Finding[]) => void
}

/** Everything that the terminal face needs from its process, so that tests can replace it. */
export interface CliProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workDirectory: string
  readonly out: OutputChannel
  readonly err: OutputChannel
  readonly clock: Clock
  /** The time zone for times. */
  readonly clockChoice: ClockChoice
  /** Whether standard input is a terminal. */
  readonly canAsk: boolean
  /** One line typed by the operator; null when the input ended or the signal aborted. */
  readLine(signal: AbortSignal): Promise<string | null>
  /** Calls back on each stop signal instead of ending the process; the returned function stops that. */
  onStopSignal(onSignal: (signal: StopSignal) => void): () => void
  /** A new temporary folder that `remove` deletes. */
  temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }>
  openApp(options: { readonly dataDirectory: string | null; readonly demo: boolean }): Promise<Result<OpenedApp>>
  /** The half of the application that only reads, for a command that needs no more: it loads in half the time. */
  openReading(options: {
    readonly dataDirectory: string | null
    readonly demo: boolean
  }): Promise<Result<Pick<OpenedApp, 'contract' | 'close'>>>
  startDemoClouds(directory: string, choices: DemoChoices): Promise<Result<DemoClouds>>
  /** Looks at what Lockkeeper needs, without the application, and writes nothing. */
  examine(request: ExamineRequest): Promise<Examination>
  serveConsole(request: ServeRequest): Promise<Result<OpenedConsole>>
  /** Keeps the command whose folder this is, until it ends: what a process does that {@link KEEP} was given to. */
  keepCommand(place: string): Promise<void>
  /** The task of a process started with {@link READ_JOURNAL}: copies another journal. */
  copyForeign(file: string, to: string): Promise<Result<{ readonly path: string; readonly head: string | null }>>
  readonly pid: number
}
