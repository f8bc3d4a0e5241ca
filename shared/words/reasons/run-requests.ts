import type { Cause, Finding, OfCluster, OfNode, TextsOf } from '../steps/coded.ts'
import { howToEnd } from '../unseen-ends.ts'

type OfRun = { readonly run: string }
/** A command on a machine: the group of its processes; null: that is not known. */
type OfGroup = Parameters<typeof howToEnd>[0]
type OfInstanceInRun = OfRun & { readonly instance: string }

/** Texts of what an operator asks of a run. */
export const RUN_REQUESTS_REASONS = {
  NoSuchQuestion: ({ run }: OfRun) =>
    `Run ${run} does not wait for this answer: its question was answered, or it never asked it.`,
  /** `why`: what of the command is seen. */
  CommandNotPassed: ({ why }: { readonly why: Finding }) =>
    `${why.message} Its work cannot be passed while it may go on.`,
  NoSuchAnswer: ({ choices, choice }: { readonly choices: readonly string[]; readonly choice: string }) =>
    `The question takes ${choices.join(' or ')}, not ${choice}.`,
  SayWhyCommandPassed: () => 'Say why the work of the command may be passed: it is kept with the run.',
  CommandOfNodeGoesOn: ({ run, node, machine, group }: OfRun & OfNode & OfGroup) =>
    `The command that run ${run} started for ${node} goes on: nothing is planned for it meanwhile. ${howToEnd({ machine, group })}`,
  /** `subject`: the application that the command updates, or the cluster. */
  CommandOfUpdateGoesOn: ({ run, subject, machine, group }: OfRun & OfGroup & { readonly subject: string }) =>
    `The command that run ${run} started for the update of ${subject} goes on: no other update is begun meanwhile. ${howToEnd({ machine, group })}`,
  CommandUnderWay: (of: OfGroup) => `The command is under way. ${howToEnd(of)}`,
  CommandOverUnknown: ({ cause }: Cause) => `Whether the command is over cannot be told. ${cause}`,
  CommandLeftProcesses: (of: OfGroup) => `Processes that the command started go on. ${howToEnd(of)}`,
  /** It could not be looked at the command. */
  CommandUnseen: ({ cause }: Cause) => cause,
  NothingToAbort: ({ run, outcome }: OfRun & { readonly outcome: string }) =>
    `Run ${run} is over: ${outcome}. There is nothing to abort.`,
  NotDrivenHere: ({ run }: OfRun) => `This console does not drive run ${run}.`,
  RunWithoutNode: ({ run, node }: OfRun & OfNode) => `Run ${run} does not work on ${node}.`,
  /** `step`: the title of the step that was begun. */
  NodeWasBegun: ({ node, step }: OfNode & { readonly step: string }) =>
    `${node} was begun ("${step}"), so it cannot be passed whole. Answer its question, or abort the run.`,
  SayWhyDecided: ({ choice }: { readonly choice: string }) =>
    `Say why: ${choice} is kept with the run, for the owner of the instance.`,
  NoStepHeedsDecision: ({ run, instance }: OfInstanceInRun) =>
    `No step of run ${run} heeds what is decided about instance ${instance}: only one that moves it through Nova does.`,
  /** `instance`: its name. */
  InstanceMovesCold: ({ instance }: { readonly instance: string }) =>
    `${instance} moves cold: Nova can only be told to end a live migration.`,
  InstanceIsThrough: ({ run, instance }: OfInstanceInRun) =>
    `Run ${run} is through with ${instance}: nothing can be decided about it any more.`,
  RunHasNoTimeline: ({ run }: OfRun) =>
    `Run ${run} is the maintenance of one node. Only a run over many nodes has a timeline.`,
  TypeNameToStart: ({ cluster }: OfCluster) =>
    `${cluster} is a production cluster and this plan is disruptive: type the cluster's name, ${cluster}, exactly. Nothing was started.`,
} satisfies TextsOf<string>
