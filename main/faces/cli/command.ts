import type { Contract, Envelope, RequestInput, RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { PlannedStep } from '../../../shared/domain/plan.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'
import type { ExitCode } from './exit-code.ts'
import type { Interruptions } from './interruptions.ts'
import type { Printer } from './printer.ts'
import type { CliProcess } from './process-io.ts'

export interface CommandContext {
  readonly args: ParsedArguments
  readonly printer: Printer
  readonly io: CliProcess
  readonly interruptions: Interruptions
  /** The application. A command without `needs: 'contract'` opens it itself, or not at all. */
  readonly contract: Contract
  /** What the wings add to this command. */
  readonly parts: Parts
  /** Registers a cleanup that runs however the command ends, the newest first. */
  readonly atEnd: (close: () => Promise<void>) => void
}

/** Turns arguments into requests, and answers into lines and an exit code. */
export type Command = (context: CommandContext) => Promise<ExitCode>

/** What the wings add to commands of the core; null if this build leaves the wing out. */
export interface Parts {
  readonly runners: RunnersPart | null
  readonly mails: MailsPart | null
}

interface RunnersPart {
  /** Connects to the known runners, so that their runs are up to date here, and warns about each that does not answer. */
  connect(context: CommandContext): Promise<void>
  /** Reads the requests that have not started; the answer prints them. */
  readRequests(cluster: string | null, context: CommandContext): Promise<() => void>
  /** `runs --asked`. */
  listRequests(cluster: string | null, context: CommandContext): Promise<ExitCode>
  /** Finds a request by its name or the beginning of one. */
  findRequest(contract: Contract, typed: string, runs: readonly RunSummary[]): Promise<Envelope<FoundRequest>>
  /** Names of requests that have not started. */
  requestNames(contract: Contract): Promise<readonly OfferedWord[]>
  /** Where the flags say that the plan runs; null means on this console. A message if a flag is wrong. */
  inCluster(args: ParsedArguments): Promise<InCluster | string | null>
}

/** A word that the shell offers, with the description that it shows. */
export interface OfferedWord {
  readonly word: string
  readonly about: string
}

export type FoundRequest =
  | { readonly kind: 'run'; readonly run: RunSummary }
  | { readonly kind: 'asked'; readonly asked: AskedRequest }
  | { readonly kind: 'several'; readonly names: readonly string[] }
  /** `unread`: where requests could not be read. */
  | { readonly kind: 'nothing'; readonly unread: readonly string[] }

/** A request to a runner without a run here. */
export interface AskedRequest {
  /** Why it can only be shown and withdrawn. */
  readonly whyNoRun: Failure
  show(context: CommandContext): void
  withdraw(context: CommandContext): Promise<ExitCode>
}

/** A runner in the cluster carries out the plan. */
export interface InCluster {
  /** Prints which runner it is, before the confirmation; a failure if there is none. */
  offer(cluster: string, context: CommandContext): Promise<Failure | null>
  submit(
    start: RequestInput<'run.start'>,
    given: { readonly steps: readonly PlannedStep[]; readonly yes: boolean },
    context: CommandContext,
  ): Promise<ExitCode>
}

interface MailsPart {
  /** `window owners --mail`: writes the message to each project as a file. */
  writeMails(folder: string, context: CommandContext): Promise<ExitCode>
}
