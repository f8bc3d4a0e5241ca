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

/** What the steps are that rescue the instances of a machine that is off. */
export const INSTANCES_RESCUE_STEPS = {
  'instances-rescuable': {
    title: input => `What can be rescued of ${nodeIn(input)}`,
    why: 'What cannot be rescued, and what would be lost, has to be known before anything is touched.',
  },
  'rescue-instances': {
    title: input => `Rebuild the instances of ${nodeIn(input)} on other hosts`,
    why: 'Their owners are without them until they run on another host.',
    undo: 'None: the machine destroys its copies when it returns. Move the instances back once it is in service.',
  },
} satisfies StepTexts

/** Why an instance is left where it is: `code` says which rule, `why` in words. */
type Left = OfInstance & { readonly code: string; readonly why: string }

type LeftInstances = { readonly instances: Items<Left> }
type WithInstances = { readonly instances: Names }

/** What a rescue did: how many were rebuilt, and those whose local disks are lost. */
type Rescued = { readonly rebuilt: number; readonly lost: Names }

/** What the steps find that rescue instances. */
export const INSTANCES_RESCUE_FINDINGS = {
  RescueForecast: ({ host, going, left }: OfHost & { readonly going: number; readonly left: number }) =>
    `${counted(going, 'instance')} of ${host} to rebuild elsewhere${left === 0 ? '' : `, ${left} left where ${left === 1 ? 'it is' : 'they are'}`}.`,
  RescueLosesDisks: ({ instances }: WithInstances) =>
    `${counted(instances.total, 'instance')} will lose what is on the local disk: ${someNames(instances, 20)}.`,
  StaysOnDeadHost: ({ why, ...of }: Left) => `${labelOf(of)} stays on the dead host: ${why}`,
  /** What makes a place less than certain, as the forecast says it. */
  LocalDiskLost: () => 'Its local disk is lost.',
  RescueLeaves: ({ because }: { readonly because: LeftReason }) => rescueWords(because),
  RescueNowhere: ({ note }: { readonly note: string | null }) => `it has nowhere to go: ${note ?? 'no host takes it.'}`,
  RescueFitUnknown: ({ going, cause }: { readonly going: number; readonly cause: string }) =>
    `Whether all ${going} find a place together cannot be told: ${cause}`,
  NoInstanceToRebuild: ({ host }: OfHost) => `No instance of ${host} is to be rebuilt elsewhere.`,
  InstancesToRebuild: ({ going, atOnce }: { readonly going: number; readonly atOnce: number }) =>
    `${counted(going, 'instance')} to rebuild elsewhere, ${atOnce} at once.`,
  InstancesNotRebuilt: ({ instances }: LeftInstances) =>
    `${counted(instances.total, 'instance')} could not be rebuilt elsewhere: ${leftWords(instances, 10)}. Retry asks Nova again; skip leaves them on the dead host.`,
  InstancesRebuilt: rescuedWords,
  RescueVerified: ({ staying, ...rescued }: Rescued & { readonly staying: readonly Left[] }) =>
    [rescuedWords(rescued), ...staying.map(({ why, ...of }) => `${labelOf(of)} stays on it: ${why}`)].join(' '),
} satisfies TextsOf<string>

/** What is in the way of the steps that rescue instances. */
export const INSTANCES_RESCUE_FAULTS = {
  InstancesUntold: ({ host, cause }: OfHost & Cause) => ({
    message: `Nova cannot tell every instance on ${host}: ${cause}.`,
    remedy: 'Mend the cell first.',
    never: 'which instances are there cannot be known',
  }),
  RescueNoDestination: ({ note, ...of }: OfInstance & { readonly note: string | null }) => ({
    message: `Instance ${labelOf(of)} has nowhere to go: ${note ?? 'no host takes it.'}`,
    remedy:
      'Make room for it on another compute host. With --force the others are rescued and it is left where it is, because Nova would put it into ERROR.',
  }),
  RescueIncomplete: ({ host, instances }: OfHost & WithInstances) => ({
    message: `${counted(instances.total, 'instance')} still on ${host}: ${someNames(instances)}.`,
    remedy: 'Resume the run: it asks Nova again for those.',
  }),
  RescueStranded: ({ host, instances }: OfHost & LeftInstances) => ({
    message: `${counted(instances.total, 'instance')} to be rebuilt and still on ${host}: ${leftWords(instances, 5)}.`,
    remedy: 'Make room for them, then resume the run.',
  }),
  RescueUnfollowed: ({ instances }: WithInstances) => ({
    message: `${counted(instances.total, 'instance')} asked for and not seen to its end: ${someNames(instances)}.`,
    remedy: 'Resume the run: it follows them to their end.',
  }),
  RescuedChanged: (changed: ChangedInstances) => ({
    message: changedWords(changed),
    remedy: 'Look at these instances: one that is being rebuilt settles within minutes.',
  }),
} satisfies TextsOf<FaultText>

function leftWords(instances: Items<Left>, most: number): string {
  return someItems(instances, ({ why, ...of }) => `${labelOf(of)}: ${why}`, most)
}

function rescuedWords({ rebuilt, lost }: Rescued): string {
  const words =
    rebuilt === 0 ? 'No instance had to be rebuilt.' : `${counted(rebuilt, 'instance')} rebuilt on other hosts.`
  return lost.total === 0 ? words : `${words} Local disks lost: ${someNames(lost, 50)}.`
}
