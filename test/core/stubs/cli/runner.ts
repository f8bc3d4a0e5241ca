import type { CommandSpec, SlotFillings } from '../../../../main/faces/cli/arguments/argument-specs.ts'
import type { Parts } from '../../../../main/faces/cli/command.ts'
import type { Result } from '../../../../shared/domain/result.ts'

export interface RunnerRunRequest {
  readonly namespace: string | null
  readonly dataDirectory: string | null
  readonly secretsDirectory: string | null
}
export interface StartedRunner {
  readonly ended: Promise<void>
  stop(): void
}
export type RunRunner = (request: RunnerRunRequest) => Promise<Result<StartedRunner>>

export const campaignCommands: readonly CommandSpec[] = []
export const handOverCommands: readonly CommandSpec[] = []
export const runnerCommands: readonly CommandSpec[] = []
export const runnerRunCommands = (_: RunRunner): readonly CommandSpec[] => []
export const runnerFlags: SlotFillings = { 'in-cluster': { flags: [], examples: [] } }
export const runnersPart: Parts['runners'] = null
