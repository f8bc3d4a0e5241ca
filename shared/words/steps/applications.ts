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
/** What the field or the condition of an object says that shows the end of an update. */
type Shown = OfApplication & OfObject & { readonly field: string; readonly value: string }
type Wanted = Shown & { readonly wanted: string }
type Locks = { readonly locks: readonly string[] }

/** How the update of an application begins, in a few words. */
function updateText({ update, work }: Values): string {
  const { application = '', start = null } = ApplicationUpdate.safeParse(update).data ?? {}
  const command = CommandWork.safeParse(work).data
  if (command !== undefined) return `Update ${application}: this machine runs \`${command.command}\``
  return start === null ? `Wait until ${application} is updated` : `Update ${application}`
}

/** What a patch changes, in a few words. */
function changesText(changes: Items<FieldChange>): string {
  return someItems(changes, ({ path, from, to }) => `${path} from ${from} to ${to}`, 4)
}

/** What the steps of the updates of applications are. */
export const APPLICATIONS_STEPS = {
  'other-applications': {
    title: () => 'Other applications are updated',
    why: 'All other applications of the cluster, such as StackLight and Tungsten Fabric, are updated before the maintenance ends.',
    undo: 'Nothing to undo: it only waits.',
  },
  'update-application': {
    title: updateText,
    why: 'The application is updated by its own controllers. The patch tells them to begin, and the field tells when they are done.',
    undo: 'An update of an application is not taken back. Ask its controller for the release before.',
  },
} satisfies StepTexts

/** What the steps of the updates of applications find. */
export const APPLICATIONS_FINDINGS = {
  NobodyStartsApplication: ({ application }: OfApplication) =>
    `Nobody starts ${application} here: its end is waited for.`,
  CommandStartsApplication: ({ command, directory }: { readonly command: string; readonly directory: string }) =>
    `This machine runs \`${command}\` in ${directory}, once; then the end of the update is waited for.`,
  ObjectIsPatchedAlready: ({ object }: OfObject) =>
    `${objectWords(object)} is as patched already; its end is waited for.`,
  ObjectToBePatched: ({ object, changes }: OfObject & Changes) =>
    `${objectWords(object)} is patched: ${changesText(changes)}.`,
  ObjectIsAsPatched: ({ object }: OfObject) => `${objectWords(object)} is as patched.`,
  ApplicationIsUpdated: ({ application, object, field, value }: Shown) =>
    `${application} is updated: ${field} of ${objectWords(object)} is ${value}.`,
  LockShowsApplicationsEnd: ({ application }: OfApplication) => `The lock of ${application} shows its end.`,
  ApplicationUpdateBegun: ({ application }: OfApplication) => `The update of ${application} is under way.`,
  /** A phrase. */
  ObjectToCome: ({ object }: OfObject) => `${objectWords(object)}, of which there is none yet`,
  /** A phrase. */
  ApplicationToBeUpdated: ({ application, object, field, value, wanted }: Wanted) =>
    `${application} to be updated: ${field} of ${objectWords(object)} is ${value}, to be ${wanted}`,
  NoOtherApplicationLock: () => 'No other application has a lock on the cluster.',
  OtherApplicationsInactive: ({ locks }: Locks) => `${locks.join(', ')}: inactive.`,
} satisfies TextsOf<string>

/** What is in the way of the updates of applications, and what is asked about them. */
export const APPLICATIONS_FAULTS = {
  /** A command of an update is for an application that is not in it, or that something else starts too. */
  CommandOfNoApplication: ({ application }: OfApplication) => ({
    message: `A command for ${application}: it has to be among the applications once, with nothing else that starts it.`,
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
  /** What is to be patched is not there. */
  NoSuchObject: ({ object }: OfObject) => ({
    message: `There is no ${objectWords(object)}.`,
    remedy: 'Look at its name and namespace in the file of applications.',
    never: 'what is not there cannot be patched',
  }),
  /** What shows the end of an update is not there. */
  NoObjectOfEnd: ({ object }: OfObject) => ({
    message: `There is no ${objectWords(object)}.`,
    remedy: 'Look who deleted it.',
  }),
  ApplicationNotUpdated: ({ application, object, field, value, wanted }: Wanted) => ({
    message: `${field} of ${objectWords(object)} is ${value}, not ${wanted}.`,
    remedy: `Look at how far the update of ${application} is.`,
  }),
  ObjectNotAsPatched: ({ object }: OfObject) => ({
    message: `${objectWords(object)} is not as patched.`,
    remedy: 'Somebody changed it; find out who.',
  }),
  ObjectDeleted: ({ object }: OfObject) => ({
    message: `There is no ${objectWords(object)} any more.`,
    remedy: thenRetry('Find out who deleted it'),
  }),
  ObjectChangedBack: ({ object, changes }: OfObject & Changes) => ({
    message: `${objectWords(object)} was patched, and somebody changed it back: ${changesText(changes)} is missing.`,
    remedy: thenRetry('Patch it by hand'),
  }),
  /** The answer to a patch was lost, and somebody wrote to the object since: `sent` and `now` are its versions. */
  PatchUnknown: ({ object, sent, now }: OfObject & { readonly sent: string | null; readonly now: string }) => ({
    message: `Whether ${objectWords(object)} was patched is not known: the answer was lost, and it was written to since (resourceVersion ${sent}, now ${now}).`,
    remedy: thenRetry('Look who wrote to it'),
  }),
  ObjectMadeAgain: ({ object }: OfObject) => ({
    message: `${objectWords(object)} was made again since the plan was confirmed.`,
    remedy: thenRetry(PUT_BACK),
  }),
  ObjectChangedSince: ({ object, changes }: OfObject & Changes) => ({
    message: `${objectWords(object)} was changed since the plan was confirmed: ${changesText(changes)} would be changed now.`,
    remedy: thenRetry(PUT_BACK),
  }),
  ObjectWrittenTooOften: ({ object }: OfObject) => ({
    message: `${objectWords(object)} is written to so often that no patch of it got through.`,
    remedy: thenRetry('Find out by whom'),
  }),
  ApplicationStaysNotUpdated: ({ application, ...quiet }: Quiet & OfApplication) => ({
    message: quietText(quiet),
    remedy: `Look at what its controller waits for and retry, or skip it if ${application} is updated.`,
  }),
  OtherApplicationsStayActive: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy: 'Look at what the controller waits for and retry, or continue if its application is updated.',
  }),
  /** Those with a lock are updated; of others nothing is published. */
  OtherApplicationsUnseen: ({ locks }: { readonly locks: Finding }) => ({
    message: `${locks.message} Applications without a lock are not seen from here.`,
    remedy: 'Continue when they are updated, or abort.',
  }),
} satisfies TextsOf<FaultText>

/** What the steps of the updates of applications read. */
export const APPLICATIONS_READS = {
  NamedObject: ({ object }: OfObject) => objectWords(object),
} satisfies TextsOf<string>

const PUT_BACK = 'Put it back, or make another plan'

function thenRetry(what: string): string {
  return `${what}, then retry, or abort.`
}
