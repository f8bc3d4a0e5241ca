import type { LeftReason } from '../../domain/rescue.ts'
import { counted } from '../../grammar/counts.ts'
import { rescueWords } from '../rescues.ts'
import {
  type Cause,
  type FaultText,
  type Items,
  labelOf,
  type Names,
  nodeIn,
  type OfHost,
  type OfInstance,
  type StepTexts,
  someItems,
  someNames,
  type TextsOf,
} from './coded.ts'
import { type ChangedInstances, changedWords } from './instances-moves.ts'

export const INSTANCES_RESCUE_STEPS = {
  'instances-rescuable': {
    title: input => `What can be rescued of ${nodeIn(input)}`,
    why: 'You must know what cannot be rescued, and what would be lost, before the rescue starts.',
  },
  'rescue-instances': {
    title: input => `Rebuild the instances of ${nodeIn(input)} on other nodes`,
    why: 'Their owners cannot use them until they run on another node.',
    undo: 'None: the machine destroys its copies when it returns. Move the instances back once it is in service.',
  },
} satisfies StepTexts

/** An instance that stays where it is: `code` is the rule, `why` its words. */
type Left = OfInstance & { readonly code: string; readonly why: string }

type LeftInstances = { readonly instances: Items<Left> }
type WithInstances = { readonly instances: Names }

/** The result of a rescue; `lost`: instances whose local disks are lost. */
type Rescued = { readonly rebuilt: number; readonly lost: Names }

export const INSTANCES_RESCUE_FINDINGS = {
  RescueForecast: ({ host, going, left }: OfHost & { readonly going: number; readonly left: number }) =>
    `${counted(going, 'instance')} of ${host} to rebuild elsewhere${left === 0 ? '' : `, ${left} left where ${left === 1 ? 'it is' : 'they are'}`}.`,
  RescueLosesDisks: ({ instances }: WithInstances) =>
    `${counted(instances.total, 'instance')} will lose the data on the local disk: ${someNames(instances, 20)}.`,
  StaysOnDeadHost: ({ why, ...of }: Left) => `${labelOf(of)} stays on the dead node: ${why}`,
  /** What is uncertain about a host, as the forecast shows it. */
  LocalDiskLost: () => 'Its local disk is lost.',
  RescueLeaves: ({ because }: { readonly because: LeftReason }) => rescueWords(because),
  RescueNowhere: ({ note }: { readonly note: string | null }) => `it has nowhere to go: ${note ?? 'no node takes it.'}`,
  RescueFitUnknown: ({ going, cause }: { readonly going: number; readonly cause: string }) =>
    `Cannot tell whether all ${going} fit together: ${cause}`,
  NoInstanceToRebuild: ({ host }: OfHost) => `${host} has no instance to rebuild elsewhere.`,
  InstancesToRebuild: ({ going, atOnce }: { readonly going: number; readonly atOnce: number }) =>
    `${counted(going, 'instance')} to rebuild elsewhere, ${atOnce} at a time.`,
  InstancesNotRebuilt: ({ instances }: LeftInstances) =>
    `${counted(instances.total, 'instance')} could not be rebuilt elsewhere: ${leftWords(instances, 10)}. "Try again" asks Nova again; "Skip" leaves them on the dead node.`,
  InstancesRebuilt: rescuedWords,
  RescueVerified: ({ staying, ...rescued }: Rescued & { readonly staying: readonly Left[] }) =>
    [rescuedWords(rescued), ...staying.map(({ why, ...of }) => `${labelOf(of)} stays on it: ${why}`)].join(' '),
} satisfies TextsOf<string>

export const INSTANCES_RESCUE_FAULTS = {
  InstancesUntold: ({ host, cause }: OfHost & Cause) => ({
    message: `Nova cannot list all instances on ${host}: ${cause}.`,
    remedy: 'Fix the cell first.',
    never: 'Lockkeeper cannot know which instances are there',
  }),
  RescueNoDestination: ({ note, ...of }: OfInstance & { readonly note: string | null }) => ({
    message: `Instance ${labelOf(of)} has nowhere to go: ${note ?? 'no node takes it.'}`,
    remedy:
      'Make room for it on another compute node. With --force the run rescues the others and leaves it where it is, because Nova would put it into ERROR.',
  }),
  RescueIncomplete: ({ host, instances }: OfHost & WithInstances) => ({
    message: `${counted(instances.total, 'instance')} still on ${host}: ${someNames(instances)}.`,
    remedy: 'Resume the run: it asks Nova again for those.',
  }),
  RescueStranded: ({ host, instances }: OfHost & LeftInstances) => ({
    message: `${counted(instances.total, 'instance')} not rebuilt and still on ${host}: ${leftWords(instances, 5)}.`,
    remedy: 'Make room for them, then resume the run.',
  }),
  RescueUnfollowed: ({ instances }: WithInstances) => ({
    message: `${counted(instances.total, 'instance')} requested without a known result: ${someNames(instances)}.`,
    remedy: 'Resume the run: it follows them until they finish.',
  }),
  RescuedChanged: (changed: ChangedInstances) => ({
    message: changedWords(changed),
    remedy: 'Check these instances: one that is being rebuilt settles within minutes.',
  }),
} satisfies TextsOf<FaultText>

function leftWords(instances: Items<Left>, most: number): string {
  return someItems(instances, ({ why, ...of }) => `${labelOf(of)}: ${why}`, most)
}

function rescuedWords({ rebuilt, lost }: Rescued): string {
  const words =
    rebuilt === 0 ? 'No instance had to be rebuilt.' : `${counted(rebuilt, 'instance')} rebuilt on other nodes.`
  return lost.total === 0 ? words : `${words} Local disks lost: ${someNames(lost, 50)}.`
}
