import { durationWords } from '../../grammar/durations.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import type { Cause, TextsOf } from '../steps/coded.ts'
import { type OfMaintenanceRun, runObjectText } from './attach.ts'

type OfRun = { readonly run: string }
type OfHandedOver = OfRun & OfMaintenanceRun

/** Texts of handing a run over to a runner and taking it back. */
export const HAND_OVER_REASONS = {
  RunnerHasRunAlready: ({ run, runner }: OfRun & { readonly runner: string }) =>
    `Run ${run} goes on in the cluster already: runner ${runner} has it.`,
  NotAfterPast: ({ notAfter }: { readonly notAfter: string }) =>
    `--not-after ${notAfter} is past: no runner would begin anything more of it.`,
  /** `cause`: why it was not handed over. */
  RunLeftHere: ({ run, cause }: OfRun & Cause) =>
    `${cause} Nobody drives run ${run} now: \`lockkeeper run resume ${shellWord(run)}\` goes on with it here.`,
  HandedOverElsewhere: ({ run, object, by }: OfRun & { readonly object: string; readonly by: string }) =>
    `Run ${run} was being handed over as MaintenanceRun ${object} of ${by}: take it back first.`,
  /** `cause`: why nobody drives it. */
  HandOverRefused: ({ run, cause }: OfRun & Cause) =>
    `Run ${run} is driven by nobody. ${cause} \`lockkeeper run resume ${shellWord(run)}\` goes on with it here.`,
  HandedOverBy: ({ run, operator, object, namespace, by }: OfHandedOver & { readonly operator: string }) =>
    `Handed over by ${operator}: the runner is asked to go on with it as MaintenanceRun ${object}, in namespace ${namespace} of ${by}. Where it refuses, \`lockkeeper run resume ${shellWord(run)}\` takes it back.`,
  NothingToHandOver: ({ run, outcome }: OfRun & { readonly outcome: string }) =>
    `Run ${run} is over: ${outcome}. There is nothing to hand over.`,
  UndoNotHandedOver: ({ run }: OfRun) => `Run ${run} cannot be handed over: what it undoes is known here alone.`,
  CommandNotHandedOver: ({ run }: OfRun) =>
    `Run ${run} cannot be handed over: it has a command of this machine to run, and a runner has no such machine.`,
  JobNotHandedOver: ({ run }: OfRun) =>
    `Run ${run} cannot be handed over: the work on its node is a Job, and a runner makes none.`,
  HealthGatesNotHandedOver: ({ run }: OfRun) =>
    `Run ${run} cannot be handed over: it has health gates, and a runner asks no Prometheus.`,
  LeftWithLease: ({ run }: OfRun) =>
    `Run ${run} was left without a word, and the Lease of its node is still that driver's. Drive it on here first (\`lockkeeper run resume ${shellWord(run)}\`), then hand it over.`,
  NotAtRest: ({ run }: OfRun) =>
    `Run ${run} is not at rest. Pause it first (\`lockkeeper run pause ${shellWord(run)}\`): what is under way comes to its end, and then it is handed over.`,
  AbortedMeanwhile: ({ run }: OfRun) => `Run ${run} was aborted meanwhile.`,
  GoesOnAgain: ({ run }: OfRun) => `Run ${run} goes on again: pause it first.`,
  NotLeftInTime: ({ run }: OfRun) => `Run ${run} was not left by its driver in time; try again.`,
  RunnerUnread: ({ run, cause }: OfRun & Cause) =>
    `Run ${run} is not taken back: whether a runner has it cannot be told. ${cause}`,
  /** `phase`, `said`: what the runner says of it. */
  RunnerHasRun: ({ run, phase, said, ...object }: OfHandedOver & { readonly phase: string; readonly said: string }) =>
    `Run ${run} is not taken back: the runner has it as ${runObjectText(object)}: ${phase}. ${said}`,
  NoRunnerRefused: ({ run, ...object }: OfHandedOver) =>
    `Run ${run} is not taken back: ${runObjectText(object)} is there, and no runner has refused it.`,
  OtherStoryThere: ({ run, ...object }: OfHandedOver) =>
    `Run ${run} is not taken back: ${runObjectText(object)} is another one than was asked for. Look at it before you go on.`,
  RunObjectWasDeleted: ({ run, ...object }: OfHandedOver) =>
    `Run ${run} is not taken back: ${runObjectText(object)} was made and is gone, so it is not known what a runner did since. Look at its nodes and plan again.`,
  RunObjectMayHaveBeen: ({ run, ...object }: OfHandedOver) =>
    `Run ${run} is not taken back: ${runObjectText(object)} is not there, and its runner does not answer: it may have been there. Ask when the runner answers, or plan again.`,
  RunObjectMayCome: ({ run, restMs, ...object }: OfHandedOver & { readonly restMs: number }) =>
    `Run ${run} is not taken back: ${runObjectText(object)} is not there, and may still be made. Try again in ${durationWords(restMs)}.`,
  NoRunnerTellsYet: ({ run, ...object }: OfHandedOver) =>
    `Run ${run} was handed over as ${runObjectText(object)}, and no runner that is connected here tells of it yet. Ask again when one does, or take it back first where no runner has it (\`lockkeeper run resume ${shellWord(run)}\`).`,
  HandOverUnknown: ({ run, object, namespace, by, cause }: OfHandedOver & Cause) =>
    `Whether MaintenanceRun ${object} was made in namespace ${namespace} of ${by} is not known. ${cause} Nothing goes on with run ${run} here meanwhile: hand it over again (\`lockkeeper run hand-over ${shellWord(run)}\`), or take it back (\`lockkeeper run resume ${shellWord(run)}\`), which looks whether it was made.`,
} satisfies TextsOf<string>
