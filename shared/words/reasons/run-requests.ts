import { shellWord } from '../../grammar/shell-word.ts'
import type { Cause, Finding, OfCluster, OfNode, OfPlace, OfRun, TextsOf } from '../steps/coded.ts'
import { howToEnd } from '../unseen-ends.ts'

/** A command on a machine: its process group; null if unknown. */
type OfGroup = Parameters<typeof howToEnd>[0]
type OfInstanceInRun = OfRun & { readonly instance: string }

/** Refusals of requests about a run. */
export const RUN_REQUESTS_REASONS = {
  NoSuchQuestion: ({ run }: OfRun) =>
    `Run ${run} is not waiting for this answer: the question was already answered, or it belongs to another run.`,
  /** `why`: what Lockkeeper sees of the command. */
  CommandNotPassed: ({ why }: { readonly why: Finding }) =>
    `${why.message} You cannot skip its work while it may still run.`,
  NoSuchAnswer: ({ choices, choice }: { readonly choices: readonly string[]; readonly choice: string }) =>
    `The question accepts ${choices.join(' or ')}, not ${choice}.`,
  CommandOfNodeGoesOn: ({ run, node, machine, group }: OfRun & OfNode & OfGroup) =>
    `The command that run ${run} started for ${node} still runs, so ${node} cannot be planned. ${howToEnd({ machine, group })}`,
  /** `subject`: the application that the command updates, or the cloud. */
  CommandOfUpdateGoesOn: ({ run, subject, machine, group }: OfRun & OfGroup & { readonly subject: string }) =>
    `The command that run ${run} started for the update of ${subject} still runs, so no other update can start. ${howToEnd({ machine, group })}`,
  CommandUnderWay: (of: OfGroup) => `The command is running. ${howToEnd(of)}`,
  CommandOverUnknown: ({ cause }: Cause) => `Cannot tell whether the command has ended. ${cause}`,
  CommandLeftProcesses: (of: OfGroup) => `Processes that the command started still run. ${howToEnd(of)}`,
  /** Lockkeeper could not inspect the command. */
  CommandUnseen: ({ cause }: Cause) => cause,
  NoRunnerTellsYet: ({ run, object, namespace, by }: OfRun & OfPlace & { readonly object: string }) =>
    `Run ${run} was handed over as MaintenanceRun ${object} in namespace ${namespace} of ${by}, but no connected runner reports it yet. Try again when one does. If no runner has it, take it back first (\`lockkeeper run resume ${shellWord(run)}\`).`,
  NothingToAbort: ({ run, outcome }: OfRun & { readonly outcome: string }) =>
    `Run ${run} has ended: ${outcome}. It cannot be stopped any more.`,
  NotDrivenHere: ({ run }: OfRun) => `Run ${run} does not run in this console.`,
  RunWithoutNode: ({ run, node }: OfRun & OfNode) => `Run ${run} does not include ${node}.`,
  /** `step`: the title of the step that started. */
  NodeWasBegun: ({ node, step }: OfNode & { readonly step: string }) =>
    `${node} has started ("${step}"), so you cannot skip the whole node. Answer its question, or stop the run.`,
  SayWhyOnProduction: ({ cluster }: OfCluster) =>
    `${cluster} is a production cloud: give a reason (--reason TEXT). The run keeps it.`,
  NoStepHeedsDecision: ({ run, instance }: OfInstanceInRun) =>
    `No step of run ${run} uses a decision about instance ${instance}: only a step that moves it through Nova does.`,
  InstanceMovesCold: ({ instance }: { readonly instance: string }) =>
    `${instance} moves with downtime: Nova can complete or abort only a live migration.`,
  InstanceIsThrough: ({ run, instance }: OfInstanceInRun) =>
    `Run ${run} has finished with ${instance}: you can no longer decide about it.`,
  RunHasNoTimeline: ({ run }: OfRun) =>
    `Run ${run} is the maintenance of one node. Only a run over several nodes has a timeline.`,
  TypeNameToStart: ({ cluster }: OfCluster) =>
    `${cluster} is a production cloud and this plan is disruptive: type its name, ${cluster}, exactly. Nothing was started.`,
} satisfies TextsOf<string>
