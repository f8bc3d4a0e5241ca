import type { SlotFillings } from '../../../faces/cli/arguments/argument-specs.ts'
import type { Parts } from '../../../faces/cli/command.ts'
import { inClusterFlags } from './arguments/runner-words.ts'

export { campaignCommands } from './arguments/campaign-commands.ts'
export { handOverCommands } from './arguments/hand-over-commands.ts'
export { runnerCommands } from './arguments/runner-commands.ts'
export { runnerRunCommands } from './arguments/runner-run-commands.ts'
export type { RunnerRunRequest, RunRunner, StartedRunner } from './runner-process.ts'

/** Flags of this wing at commands of the core. */
export const runnerFlags: SlotFillings = {
  'in-cluster': {
    flags: inClusterFlags,
    examples: ['enter lab cmp-01 --in-cluster --start-after 2035-11-24T22:00+01:00'],
  },
}

/** What commands of the core ask of runners. It is loaded only when a command asks. */
export const runnersPart: Parts['runners'] = {
  connect: async context => (await import('./in-cluster.ts')).connectRunners(context),
  readRequests: async (cluster, context) => (await import('./asked-requests.ts')).readRequests(cluster, context),
  listRequests: async (cluster, context) => (await import('./asked-requests.ts')).listRequests(cluster, context),
  findRequest: async (contract, typed, runs) =>
    (await import('./asked-requests.ts')).findRequest(contract, typed, runs),
  requestNames: async contract => (await import('./asked-requests.ts')).requestNames(contract),
  inCluster: async args => (await import('./in-cluster.ts')).inCluster(args),
}
