import type { Cause, Finding, OfCluster, OfPlace, OfRequest, OfRun, TextsOf } from '../../../words/steps/coded.ts'
import { tooLargeWords } from '../words/run-sizes.ts'

export type OfMaintenanceRun = OfPlace & { readonly object: string }
type Sizes = { readonly bytes: number; readonly most: number }
type OfControl = { readonly control: string }

/** Messages between a console and a runner. */
export const ATTACH_REASONS = {
  NoConnectionToRunner: ({ why }: { readonly why: Finding }) =>
    `The console has no connection to the runner. ${why.message}`,
  NotAKnownRunner: ({ status }: { readonly status: number }) =>
    `The pod does not answer like a runner of a known version (HTTP ${status}).`,
  NotAMessageOfRunner: () => 'The runner sent an unknown message.',
  RunnerAnswerLate: ({ request }: OfRequest) => `It did not answer ${request} in time.`,
  RunnerConnectionBroke: ({ cause }: Cause) => cause,
  RunnerEnded: () => 'The runner ended the connection.',
  RunnerEndedWith: ({ output }: { readonly output: string }) => `The runner ended the connection: ${output}.`,
  RunnerLeft: () => 'This console closed the connection.',
  RunnerOfOtherVersion: ({ request }: OfRequest) =>
    `This version cannot read the runner's answer to ${request}. Bring both to one version.`,
  RunnerSilent: ({ seconds }: { readonly seconds: number }) => `The runner sent nothing for ${seconds} s.`,
  RunStatusUnreadable: ({ cause }: Cause) => `This version cannot read the status that a runner wrote: ${cause}.`,
  NotLookedAt: () => 'No runner has read it yet.',
  PlaceSilent: ({ by, withinMs }: { readonly by: string; readonly withinMs: number }) =>
    `The API server of ${by} did not answer within ${withinMs / 1000} s.`,
  NoRunnerPod: ({ pod, namespace, by }: OfPlace & { readonly pod: string }) =>
    `Namespace ${namespace} of ${by} has no pod ${pod} at present. \`lockkeeper runner manifests\` prints what installs a runner.`,
  RunnerNotLookedFor: () => 'The console has not searched for it yet.',
  RunnerNotReached: () => 'The console has not reached it yet.',
  NoRunnerKnowsCloud: ({
    cluster,
    runners,
  }: OfCluster & {
    readonly runners: readonly { readonly runner: string; readonly by: string; readonly clouds: readonly string[] }[]
  }) =>
    `No runner knows a cloud named ${cluster}: ${runners.map(knows).join('; ')}. Add it with a Secret labelled lockkeeper.dev/cloud=${cluster} in the runner's namespace.`,
  RunnerLost: ({ cluster, runner, cause }: OfCluster & Cause & { readonly runner: string }) =>
    `Runner ${runner} of ${cluster} does not answer. ${cause}`,
  NoRunnerOfCloud: ({ cluster }: OfCluster) => `No known runner manages ${cluster}.`,
  ControlUnreadable: ({ control, cause }: OfControl & Cause) =>
    `The request was sent (MaintenanceRunControl ${control}), but this version cannot read the runner's reply: ${cause}. \`kubectl get maintenanceruncontrols -A -o yaml\` shows the reply, and a console of the runner's version can read it.`,
  ControlUnread: ({ control, cause }: OfControl & Cause) =>
    `The request was sent (MaintenanceRunControl ${control}), but the console could not read the runner's reply: ${cause} \`kubectl get maintenanceruncontrols -A -o yaml\` shows it to users who may read it.`,
  ControlNotAnswered: ({ control, withinMs }: OfControl & { readonly withinMs: number }) =>
    `The request was sent (MaintenanceRunControl ${control}), but the runner has not answered within ${withinMs / 1000} s. It acts on the request as soon as it reads it; \`kubectl get maintenanceruncontrols -A\` shows the result.`,
  RunnerRefusedControl: ({ said }: OfControl & { readonly said: string }) => said,
  /** `said`: the message of the runner. */
  RunnerRefusedRun: ({ said, ...object }: OfMaintenanceRun & { readonly said: string }) =>
    `The runner refused ${runObjectText(object)}: ${said}`,
  RunWithdrawn: ({ said, ...object }: OfMaintenanceRun & { readonly said: string }) =>
    `${runObjectText(object)} was withdrawn: ${said}`,
  NobodyTellsOfRun: (object: OfMaintenanceRun) =>
    `${runObjectText(object)} does not exist, and no connected runner reports the run.`,
  RunWithoutObject: ({ run }: OfRun) =>
    `No existing MaintenanceRun belongs to run ${run}, so this console cannot control it.`,
  RunObjectTooLarge: (why: Parameters<typeof tooLargeWords>[0]) => tooLargeWords(why),
  RunnerJournalChanged: () =>
    'The runner named another journal than at the start of this connection. A journal changes only with the volume, and then the runner starts again. The console closed the connection and opens a new one.',
  RunnerJournalOfOtherBeginning: () =>
    'The runner sent a first entry that differs from the one its journal should begin with. The console did not keep it.',
  PlanTooLarge: (sizes: Sizes) => tooLargeWords({ code: 'PlanTooLarge', ...sizes }),
  StoryTooLarge: (sizes: Sizes) => tooLargeWords({ code: 'StoryTooLarge', ...sizes }),
  /** `fields`: the fields in which the existing MaintenanceRun differs. */
  PlanAskedOtherwise: ({
    object,
    confirmedBy,
    fields,
  }: {
    readonly object: string
    readonly confirmedBy: string
    readonly fields: readonly string[]
  }) =>
    `MaintenanceRun ${object} already requests this plan, confirmed by ${confirmedBy}, with other ${fields.join(', ')}. Nothing was created: delete that one, or plan again.`,
  MayNotCreateRuns: ({ namespace, by }: { readonly namespace: string; readonly by: string }) =>
    `You may not create MaintenanceRuns in namespace ${namespace} of ${by}. The role lockkeeper-submitter there grants it.`,
  RunObjectNotThere: (object: OfMaintenanceRun) => `${runObjectText(object)} no longer exists.`,
  RunObjectBegun: ({ object, run, phase }: { readonly object: string; readonly run: string; readonly phase: string }) =>
    `MaintenanceRun ${object} has started, as run ${run}: it is ${phase}. \`lockkeeper run abort ${run}\` ends it now.`,
  /** `said`: the message of its runner. */
  RunObjectOver: ({
    object,
    phase,
    said,
  }: {
    readonly object: string
    readonly phase: string
    readonly said: string
  }) => `MaintenanceRun ${object} has ended: ${phase}. ${said}`,
} satisfies TextsOf<string>

export function runObjectText({ object, namespace, by }: OfMaintenanceRun): string {
  return `MaintenanceRun ${object} in namespace ${namespace} of ${by}`
}

function knows({
  runner,
  by,
  clouds,
}: {
  readonly runner: string
  readonly by: string
  readonly clouds: readonly string[]
}) {
  return `${runner} (${by}) knows ${clouds.join(', ') || 'none'}`
}
