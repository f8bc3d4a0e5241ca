import { tooLargeWords } from '../run-sizes.ts'
import type { Cause, Finding, OfCluster, OfPlace, OfRequest, OfRun, TextsOf } from '../steps/coded.ts'

/** What is about an object beside a runner. */
export type OfMaintenanceRun = OfPlace & { readonly object: string }
type OfControl = { readonly control: string }

/** Texts of what a console and a runner say to each other. */
export const ATTACH_REASONS = {
  NoConnectionToRunner: ({ why }: { readonly why: Finding }) => `There is no connection to the runner. ${why.message}`,
  NotAKnownRunner: ({ status }: { readonly status: number }) =>
    `What listens in the pod is no runner that this version knows (HTTP ${status}).`,
  NotAMessageOfRunner: () => 'What came from the runner is no message of ours.',
  RunnerAnswerLate: ({ request }: OfRequest) => `It did not answer ${request} in time.`,
  RunnerConnectionBroke: ({ cause }: Cause) => cause,
  RunnerEnded: () => 'The runner ended the connection.',
  RunnerEndedWith: ({ output }: { readonly output: string }) => `The runner ended the connection: ${output}.`,
  RunnerLeft: () => 'It was left.',
  RunnerOfOtherVersion: ({ request }: OfRequest) =>
    `The runner's answer to ${request} is not one that this version reads. Bring both to one version.`,
  RunnerSilent: ({ seconds }: { readonly seconds: number }) => `The runner said nothing for ${seconds} s.`,
  RunStatusUnreadable: ({ cause }: Cause) => `What a runner says of it cannot be read by this version: ${cause}.`,
  NotLookedAt: () => 'No runner has looked at it yet.',
  PlaceSilent: ({ by, withinMs }: { readonly by: string; readonly withinMs: number }) =>
    `The API server of ${by} did not answer within ${withinMs / 1000} s.`,
  NoRunnerPod: ({ pod, namespace, by }: OfPlace & { readonly pod: string }) =>
    `There is no pod ${pod} in namespace ${namespace} of ${by} just now. \`lockkeeper runner manifests\` prints what installs a runner.`,
  RunnerNotLookedFor: () => 'It was not looked for yet.',
  RunnerNotReached: () => 'It was not reached yet.',
  NoRunnerKnowsCloud: ({
    cluster,
    runners,
  }: OfCluster & {
    readonly runners: readonly { readonly runner: string; readonly by: string; readonly clouds: readonly string[] }[]
  }) =>
    `No runner knows a cloud named ${cluster}: ${runners.map(knows).join('; ')}. A Secret with the label lockkeeper.dev/cloud=${cluster} in the runner's namespace makes it known.`,
  RunnerLost: ({ cluster, runner, cause }: OfCluster & Cause & { readonly runner: string }) =>
    `Runner ${runner} of ${cluster} does not answer. ${cause}`,
  NoRunnerOfCloud: ({ cluster }: OfCluster) => `No runner is known that looks after ${cluster}.`,
  ControlUnreadable: ({ control, cause }: OfControl & Cause) =>
    `It was asked (MaintenanceRunControl ${control}), and what came of it cannot be read here: ${cause}. \`kubectl get maintenanceruncontrols -A -o yaml\` shows what the runner said, and a console of its version reads it.`,
  ControlUnread: ({ control, cause }: OfControl & Cause) =>
    `It was asked (MaintenanceRunControl ${control}), and what the runner said could not be read: ${cause} \`kubectl get maintenanceruncontrols -A -o yaml\` shows it to whoever may read it.`,
  ControlNotAnswered: ({ control, withinMs }: OfControl & { readonly withinMs: number }) =>
    `It was asked (MaintenanceRunControl ${control}), and the runner has not answered within ${withinMs / 1000} s. It is heeded as soon as the runner looks; \`kubectl get maintenanceruncontrols -A\` shows what became of it.`,
  /** `said`: what the runner says. */
  RunnerRefusedControl: ({ said }: OfControl & { readonly said: string }) => said,
  /** `said`: what the runner says. */
  RunnerRefusedRun: ({ said, ...object }: OfMaintenanceRun & { readonly said: string }) =>
    `The runner refused ${runObjectText(object)}: ${said}`,
  RunWithdrawn: ({ said, ...object }: OfMaintenanceRun & { readonly said: string }) =>
    `${runObjectText(object)} was withdrawn: ${said}`,
  NobodyTellsOfRun: (object: OfMaintenanceRun) =>
    `${runObjectText(object)} is not there, and no runner that is connected tells of the run.`,
  RunWithoutObject: ({ run }: OfRun) =>
    `Run ${run} was not asked for by a MaintenanceRun that is still there, so nothing can be asked of it from here.`,
  /** `cause`: how the connection ended. */
  RunObjectTooLarge: (why: Parameters<typeof tooLargeWords>[0]) => tooLargeWords(why),
  RunnerJournalChanged: () =>
    'The runner named another journal than at the beginning of this connection. A journal changes only with the volume, and then the runner begins again: the connection was ended, and is made again.',
  RunnerJournalOfOtherBeginning: () =>
    'The runner told another first entry of its journal than the one that it says it begins with: nothing of it is kept.',
} satisfies TextsOf<string>

/** A MaintenanceRun with its place. */
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
