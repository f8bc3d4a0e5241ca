import { durationWords } from '../../../grammar/durations.ts'
import { shellWord } from '../../../grammar/shell-word.ts'
import type { Cause, OfRun, TextsOf } from '../../../words/steps/coded.ts'
import { type OfMaintenanceRun, runObjectText } from './attach.ts'

type OfHandedOver = OfRun & OfMaintenanceRun

export const HAND_OVER_REASONS = {
  RunnerHasRunAlready: ({ run, runner }: OfRun & { readonly runner: string }) =>
    `Run ${run} already runs in the cloud: runner ${runner} has it.`,
  NotAfterPast: ({ notAfter }: { readonly notAfter: string }) =>
    `--not-after ${notAfter} is in the past: no runner would start it.`,
  /** `cause`: why the hand-over failed. */
  RunLeftHere: ({ run, cause }: OfRun & Cause) =>
    `${cause} Run ${run} is paused here: \`lockkeeper run resume ${shellWord(run)}\` continues it.`,
  HandedOverElsewhere: ({ run, object, by }: OfRun & { readonly object: string; readonly by: string }) =>
    `Run ${run} is being handed over as MaintenanceRun ${object} of ${by}: cancel the hand-over first.`,
  /** `cause`: why no console runs it. */
  HandOverRefused: ({ run, cause }: OfRun & Cause) =>
    `Run ${run} is paused and has no console. ${cause} \`lockkeeper run resume ${shellWord(run)}\` continues it here.`,
  HandedOverBy: ({ run, operator, object, namespace, by }: OfHandedOver & { readonly operator: string }) =>
    `${operator} handed it over: the runner should continue it as MaintenanceRun ${object}, in namespace ${namespace} of ${by}. If the runner refuses, \`lockkeeper run resume ${shellWord(run)}\` cancels the hand-over.`,
  NothingToHandOver: ({ run, outcome }: OfRun & { readonly outcome: string }) =>
    `Run ${run} has ended: ${outcome}. It cannot be handed over.`,
  UndoNotHandedOver: ({ run }: OfRun) => `Run ${run} cannot be handed over: only this console knows what it undoes.`,
  CommandNotHandedOver: ({ run }: OfRun) =>
    `Run ${run} cannot be handed over: it runs a command on this machine, which a runner cannot do.`,
  JobNotHandedOver: ({ run }: OfRun) =>
    `Run ${run} cannot be handed over: the work on its node is a Job, and a runner creates no Jobs.`,
  HealthGatesNotHandedOver: ({ run }: OfRun) =>
    `Run ${run} cannot be handed over: it has health gates, and a runner does not ask Prometheus.`,
  LeftWithLease: ({ run }: OfRun) =>
    `Run ${run} lost its console, which still has the Lease of the node. Resume the run here first (\`lockkeeper run resume ${shellWord(run)}\`), then hand it over.`,
  NotAtRest: ({ run }: OfRun) =>
    `Run ${run} is not paused. Pause it first (\`lockkeeper run pause ${shellWord(run)}\`): its current steps finish, then you can hand it over.`,
  AbortedMeanwhile: ({ run }: OfRun) => `Run ${run} was stopped meanwhile.`,
  GoesOnAgain: ({ run }: OfRun) => `Run ${run} is running again: pause it first.`,
  NotLeftInTime: ({ run }: OfRun) => `Run ${run} did not pause in time; try again.`,
  RunnerUnread: ({ run, cause }: OfRun & Cause) =>
    `The hand-over of run ${run} was not cancelled: cannot tell whether a runner has it. ${cause}`,
  /** `phase`, `said`: the status that the runner wrote. */
  RunnerHasRun: ({ run, phase, said, ...object }: OfHandedOver & { readonly phase: string; readonly said: string }) =>
    `The hand-over of run ${run} was not cancelled: the runner has it as ${runObjectText(object)}: ${phase}. ${said}`,
  NoRunnerRefused: ({ run, ...object }: OfHandedOver) =>
    `The hand-over of run ${run} was not cancelled: ${runObjectText(object)} exists, and no runner has refused it.`,
  OtherStoryThere: ({ run, ...object }: OfHandedOver) =>
    `The hand-over of run ${run} was not cancelled: ${runObjectText(object)} differs from the one that this console created. Check it before you continue.`,
  RunObjectWasDeleted: ({ run, ...object }: OfHandedOver) =>
    `The hand-over of run ${run} was not cancelled: ${runObjectText(object)} was created and deleted, so a runner may have changed something since. Check its nodes and plan again.`,
  RunObjectMayHaveBeen: ({ run, ...object }: OfHandedOver) =>
    `The hand-over of run ${run} was not cancelled: ${runObjectText(object)} does not exist now but may have existed, and its runner does not answer. Try again when the runner answers, or plan again.`,
  RunObjectMayCome: ({ run, restMs, ...object }: OfHandedOver & { readonly restMs: number }) =>
    `The hand-over of run ${run} was not cancelled: ${runObjectText(object)} does not exist, but may still be created. Try again in ${durationWords(restMs)}.`,
  HandOverUnknown: ({ run, object, namespace, by, cause }: OfHandedOver & Cause) =>
    `Cannot tell whether MaintenanceRun ${object} was created in namespace ${namespace} of ${by}. ${cause} This console does not continue run ${run} meanwhile. Hand it over again (\`lockkeeper run hand-over ${shellWord(run)}\`), or cancel the hand-over (\`lockkeeper run resume ${shellWord(run)}\`), which checks whether it was created.`,
} satisfies TextsOf<string>
