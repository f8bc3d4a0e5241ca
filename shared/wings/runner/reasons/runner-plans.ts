import {
  type Cause,
  type Finding,
  messagesOf,
  type Names,
  type OfCluster,
  type OfNode,
  someNames,
  type TextsOf,
} from '../../../words/steps/coded.ts'

type OfSteps = { readonly steps: Names }

/** Why a runner refuses a plan. */
export const RUNNER_PLANS_REASONS = {
  ObjectUnreadable: ({ unreadable }: { readonly unreadable: string }) => `This version cannot read it: ${unreadable}.`,
  PlanHashDiffers: () => `Its plan is not the confirmed one: planHash belongs to another text. ${FROM_WHAT_WAS_SHOWN}`,
  PlanUnreadable: ({ place }: { readonly place: string | null }) =>
    `This version cannot read its plan${place === null ? '' : ` (${place})`}. Plan again with a console of the runner's version.`,
  SpecContradictsPlan: ({
    field,
    said,
    planned,
  }: {
    readonly field: string
    readonly said: string | null
    readonly planned: string | null
  }) => `Its spec has ${field} ${said ?? 'none'}, but its plan has ${planned ?? 'none'}. ${FROM_WHAT_WAS_SHOWN}`,
  WorkIsCommandElsewhere: () =>
    'The work on its node is a command on the machine where it was confirmed, which a runner cannot run. Run it there, or plan it with other work.',
  WorkIsJob: () =>
    'The work on its node is a Job, which a runner cannot create. Run it from a console, or plan it with other work.',
  StepKindUnknown: ({ kind }: { readonly kind: string }) =>
    `Its plan has a step ${kind}, which this version does not know.`,
  StepNotAsMade: ({ step, kind }: { readonly step: string; readonly kind: string }) =>
    `The step ${step} of its plan (${kind}) differs from what this version makes.`,
  StepOnOtherNode: ({ step, node }: OfNode & { readonly step: string }) =>
    `The step ${step} of its plan is about ${node}, but its plan is not.`,
  OverrideForLater: () =>
    'It was confirmed with an override, which would later lift checks that nobody saw at the time. Give no startAfter with an override.',
  PlanOfOtherRun: ({ run, plan }: { readonly run: string; readonly plan: string }) =>
    `MaintenanceRun ${run} already has this plan (${plan}), and a plan runs only once. Plan again.`,
  PlanNotRemade: ({ cause }: Cause) => `The runner could not make its plan again to compare the two. ${cause}`,
  PlanForecastUnknown: ({ cause }: Cause) => `The runner cannot tell whether it would refuse the plan. ${cause}`,
  PlanWouldBeRefused: ({ why }: { readonly why: Finding }) =>
    `In the current state of the cloud the runner will refuse it: ${why.message}`,

  // Differences between a plan and one made now of the same kind, node and choices.
  PlanDiffers: ({
    cluster,
    differences,
    isHandedOver,
  }: OfCluster & { readonly differences: readonly Finding[]; readonly isHandedOver: boolean }) => {
    const next = isHandedOver
      ? 'The console has another version than the runner, or other settings of this cloud than its Secret. Continue the run at the console, or make them equal and hand it over again.'
      : 'Plan again. If it happens again, the console has another version than the runner, or other settings of this cloud than its Secret.'
    return `Its plan differs from one made now of its kind, node and choices in ${cluster}. ${messagesOf(differences)} ${next}`
  },
  NoSuchNodeInCloud: () => 'The cloud has no such node.',
  PlanLacksSteps: ({ steps }: OfSteps) => `It lacks ${someNames(steps)}.`,
  PlanHasOtherSteps: ({ steps }: OfSteps) => `It has ${someNames(steps)}, which a new plan lacks.`,
  RunnerAsksNoPrometheus: () => 'A runner does not ask Prometheus: run a plan with health gates from a console.',
  PlanRepeatsSteps: () => 'It repeats steps.',
  PlanChangesSteps: ({ steps }: OfSteps) => `These steps differ: ${someNames(steps)}.`,
  PlanChangesFields: ({ fields }: { readonly fields: readonly string[] }) =>
    `These fields differ: ${fields.join(', ')}.`,
  PlanReordersSteps: () => 'Its steps have another order.',
} satisfies TextsOf<string>

const FROM_WHAT_WAS_SHOWN = 'Make it again from the plan that was shown.'
