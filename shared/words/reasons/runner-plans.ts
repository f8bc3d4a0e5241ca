import {
  type Cause,
  type Finding,
  messagesOf,
  type Names,
  type OfCluster,
  type OfNode,
  someNames,
  type TextsOf,
} from '../steps/coded.ts'

type OfSteps = { readonly steps: Names }

/** Texts of why a runner does not carry out a plan. */
export const RUNNER_PLANS_REASONS = {
  ObjectUnreadable: ({ unreadable }: { readonly unreadable: string }) =>
    `It cannot be read by this version: ${unreadable}.`,
  PlanHashDiffers: () =>
    `Its plan is not the one that was confirmed: planHash is of another text. ${FROM_WHAT_WAS_SHOWN}`,
  PlanUnreadable: ({ place }: { readonly place: string | null }) =>
    `Its plan cannot be read by this version${place === null ? '' : ` (${place})`}. A console of the runner's own version makes one that it can read.`,
  SpecContradictsPlan: ({
    field,
    said,
    planned,
  }: {
    readonly field: string
    readonly said: string | null
    readonly planned: string | null
  }) => `Its spec says ${field} ${said ?? 'none'}, and its plan ${planned ?? 'none'}. ${FROM_WHAT_WAS_SHOWN}`,
  WorkIsCommandElsewhere: () =>
    'The work on its node is a command of the machine at which it was confirmed: a runner has no such machine. Run it there, or plan it with other work.',
  WorkIsJob: () =>
    'The work on its node is a Job: a runner makes none. Run it from a console, or plan it with other work.',
  StepKindUnknown: ({ kind }: { readonly kind: string }) =>
    `Its plan has a step ${kind}, which this version does not know.`,
  StepNotAsMade: ({ step, kind }: { readonly step: string; readonly kind: string }) =>
    `The step ${step} of its plan (${kind}) is not as this version makes it.`,
  StepOnOtherNode: ({ step, node }: OfNode & { readonly step: string }) =>
    `The step ${step} of its plan is about ${node}, and its plan is not.`,
  OverrideForLater: () =>
    'It was confirmed with an override, which would lift later what nobody saw when it was confirmed. Give no startAfter with an override.',
  PlanOfOtherRun: ({ run, plan }: { readonly run: string; readonly plan: string }) =>
    `MaintenanceRun ${run} has this very plan already (${plan}): a plan is carried out once. Plan again.`,
  PlanNotRemade: ({ cause }: Cause) => `Its plan could not be made again to be compared. ${cause}`,
  PlanForecastUnknown: ({ cause }: Cause) => `Whether its plan would be refused could not be told. ${cause}`,
  PlanWouldBeRefused: ({ why }: { readonly why: Finding }) => `As the cloud is now it will be refused: ${why.message}`,

  // What differs between a plan and the one that is made of the same kind, node and choices.
  PlanDiffers: ({
    cluster,
    differences,
    isHandedOver,
  }: OfCluster & { readonly differences: readonly Finding[]; readonly isHandedOver: boolean }) => {
    const next = isHandedOver
      ? 'The console has another version than the runner, or other settings of this cloud than its Secret: go on with the run at the console, or make them alike and hand it over again.'
      : 'Plan again. Where it happens again, the console has another version than the runner, or other settings of this cloud than its Secret.'
    return `Its plan is not the one that is made of its kind, node and choices in ${cluster} now. ${messagesOf(differences)} ${next}`
  },
  NoSuchNodeInCloud: () => 'The cloud has no such node.',
  PlanLacksSteps: ({ steps }: OfSteps) => `It lacks ${someNames(steps)}.`,
  PlanHasOtherSteps: ({ steps }: OfSteps) => `It has ${someNames(steps)}, which is not made.`,
  RunnerAsksNoPrometheus: () => 'A runner asks no Prometheus: run a plan with health gates from a console.',
  PlanRepeatsSteps: () => 'It has steps twice.',
  PlanChangesSteps: ({ steps }: OfSteps) => `Steps are made otherwise: ${someNames(steps)}.`,
  PlanChangesFields: ({ fields }: { readonly fields: readonly string[] }) => `It says otherwise: ${fields.join(', ')}.`,
  PlanReordersSteps: () => 'Its steps come in another order.',
} satisfies TextsOf<string>

const FROM_WHAT_WAS_SHOWN = 'Make it again from the plan that was shown.'
