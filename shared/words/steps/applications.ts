import { ApplicationUpdate, type FieldChange, type NamedObject, objectWords } from '../../domain/application-update.ts'
import { CommandWork } from '../../domain/command-work.ts'
import {
  type FaultText,
  type Finding,
  type Items,
  type StepTexts,
  someItems,
  type TextsOf,
  type Values,
} from './coded.ts'
import { type Quiet, quietText } from './requests-locks.ts'

type OfApplication = { readonly application: string }
/** An object that an operator named. */
type OfObject = { readonly object: NamedObject }
type Changes = { readonly changes: Items<FieldChange> }
/** `field` of the object shows the end of an update: it has `value` and must become `wanted`. */
type Shown = OfApplication & OfObject & { readonly field: string; readonly value: string }
type Wanted = Shown & { readonly wanted: string }
type Locks = { readonly locks: readonly string[] }

function updateText({ update, work }: Values): string {
  const { application = '', start = null } = ApplicationUpdate.safeParse(update).data ?? {}
  const command = CommandWork.safeParse(work).data
  if (command !== undefined) return `Update ${application}: this machine runs \`${command.command}\``
  return start === null ? `Wait until ${application} is updated` : `Update ${application}`
}

function changesText(changes: Items<FieldChange>): string {
  return someItems(changes, ({ path, from, to }) => `${path} from ${from} to ${to}`, 4)
}

export const APPLICATIONS_STEPS = {
  'other-applications': {
    title: () => 'Other applications are updated',
    why: 'The other applications of the cloud, such as StackLight and Tungsten Fabric, are updated before the maintenance ends.',
    undo: 'Nothing to undo: it only waits.',
  },
  'update-application': {
    title: updateText,
    why: 'The controllers of the application update it. The patch starts them, and the field shows when they have finished.',
    undo: 'Lockkeeper does not undo an update of an application. Ask its controller for the earlier release.',
  },
} satisfies StepTexts

export const APPLICATIONS_FINDINGS = {
  NobodyStartsApplication: ({ application }: OfApplication) =>
    `Lockkeeper does not start ${application}. It waits for the end of the update.`,
  CommandStartsApplication: ({ command, directory }: { readonly command: string; readonly directory: string }) =>
    `This machine runs \`${command}\` in ${directory} once, then waits for the end of the update.`,
  ObjectIsPatchedAlready: ({ object }: OfObject) =>
    `${objectWords(object)} already has the patch. Lockkeeper waits for the end of the update.`,
  ObjectToBePatched: ({ object, changes }: OfObject & Changes) =>
    `Lockkeeper patches ${objectWords(object)}: ${changesText(changes)}.`,
  ObjectIsAsPatched: ({ object }: OfObject) => `${objectWords(object)} has the patch.`,
  ApplicationIsUpdated: ({ application, object, field, value }: Shown) =>
    `${application} is updated: ${field} of ${objectWords(object)} is ${value}.`,
  LockShowsApplicationsEnd: ({ application }: OfApplication) => `The lock shows when ${application} has finished.`,
  ApplicationUpdateBegun: ({ application }: OfApplication) => `The update of ${application} is running.`,
  /** A phrase. */
  ObjectToCome: ({ object }: OfObject) => `${objectWords(object)}, which does not exist yet`,
  /** A phrase. */
  ApplicationToBeUpdated: ({ application, object, field, value, wanted }: Wanted) =>
    `${application} to be updated: ${field} of ${objectWords(object)} is ${value} and must become ${wanted}`,
  NoOtherApplicationLock: () => 'No other application has a lock on the cloud.',
  OtherApplicationsInactive: ({ locks }: Locks) => `${locks.join(', ')}: inactive.`,
} satisfies TextsOf<string>

export const APPLICATIONS_FAULTS = {
  /** A command of an update names an application that is not in it, or one that something else also starts. */
  CommandOfNoApplication: ({ application }: OfApplication) => ({
    message: `The command names ${application}. List ${application} once among the applications, and let nothing else start it.`,
    remedy: '',
  }),
  ObjectNotPermitted: ({
    verb,
    group,
    resource,
    namespace,
  }: {
    readonly verb: string
    readonly group: string
    readonly resource: string
    readonly namespace: string | null
  }) => {
    const what = `${resource}${group === '' ? '' : `.${group}`}${namespace === null ? '' : ` in namespace ${namespace}`}`
    return {
      message: `These credentials may not ${verb} ${what}.`,
      remedy: `Ask for a ${namespace === null ? 'ClusterRole' : 'Role'} that may get and patch ${what}.`,
      never: 'no flag grants a permission',
    }
  },
  /** The object to patch does not exist. */
  NoSuchObject: ({ object }: OfObject) => ({
    message: `${objectWords(object)} does not exist.`,
    remedy: 'Check its name and namespace in the file of applications.',
    never: 'an object that does not exist cannot be patched',
  }),
  /** The object that shows the end of an update does not exist. */
  NoObjectOfEnd: ({ object }: OfObject) => ({
    message: `${objectWords(object)} does not exist.`,
    remedy: 'Find out who deleted it.',
  }),
  ApplicationNotUpdated: ({ application, object, field, value, wanted }: Wanted) => ({
    message: `${field} of ${objectWords(object)} is ${value}, not ${wanted}.`,
    remedy: `Check the progress of the update of ${application}.`,
  }),
  ObjectNotAsPatched: ({ object }: OfObject) => ({
    message: `${objectWords(object)} no longer has the patch.`,
    remedy: 'Find out who changed it.',
  }),
  ObjectDeleted: ({ object }: OfObject) => ({
    message: `${objectWords(object)} no longer exists.`,
    remedy: thenRetry('Find out who deleted it'),
  }),
  ObjectChangedBack: ({ object, changes }: OfObject & Changes) => ({
    message: `${objectWords(object)} was patched, but another client changed it back: ${changesText(changes)} is missing.`,
    remedy: thenRetry('Patch it manually'),
  }),
  /** The answer to a patch was lost, and another client wrote to the object since: `sent` and `now` are its versions. */
  PatchUnknown: ({ object, sent, now }: OfObject & { readonly sent: string | null; readonly now: string }) => ({
    message: `Cannot tell whether ${objectWords(object)} was patched: the answer was lost, and the object changed since (resourceVersion ${sent}, now ${now}).`,
    remedy: thenRetry('Find out who wrote to it'),
  }),
  ObjectMadeAgain: ({ object }: OfObject) => ({
    message: `${objectWords(object)} was deleted and created again after the plan was confirmed.`,
    remedy: thenRetry(PUT_BACK),
  }),
  ObjectChangedSince: ({ object, changes }: OfObject & Changes) => ({
    message: `${objectWords(object)} changed after the plan was confirmed: the patch would now change ${changesText(changes)}.`,
    remedy: thenRetry(PUT_BACK),
  }),
  ObjectWrittenTooOften: ({ object }: OfObject) => ({
    message: `${objectWords(object)} changes so often that no patch succeeded.`,
    remedy: thenRetry('Find out what writes to it'),
  }),
  ApplicationStaysNotUpdated: ({ application, ...quiet }: Quiet & OfApplication) => ({
    message: quietText(quiet),
    remedy: `Check what its controller waits for, then try again. Skip it if ${application} is updated.`,
  }),
  OtherApplicationsStayActive: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy: 'Check what the controller waits for, then try again. Continue if its application is updated.',
  }),
  /** Applications without a lock publish nothing about their updates. */
  OtherApplicationsUnseen: ({ locks }: { readonly locks: Finding }) => ({
    message: `${locks.message} Lockkeeper cannot see applications without a lock.`,
    remedy: 'Continue when they are updated, or stop the run.',
  }),
} satisfies TextsOf<FaultText>

export const APPLICATIONS_READS = {
  NamedObject: ({ object }: OfObject) => objectWords(object),
} satisfies TextsOf<string>

const PUT_BACK = 'Put it back, or make another plan'

function thenRetry(what: string): string {
  return `${what}, then try again, or stop the run.`
}
