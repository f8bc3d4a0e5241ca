import { MADE_BY_ANNOTATION } from '../../domain/maintenance-api.ts'
import { asPhrase, someOf } from '../../grammar/counts.ts'
import { ageWords, atMostWords } from '../../grammar/durations.ts'
import type { FaultText, TextsOf } from './coded.ts'

/** When a lock was written last and by whom. `agoMs`: on the API server's clock; null: that is not known. */
export type LockWrite = { readonly at: string; readonly by: string; readonly agoMs: number | null }

/** A Deployment or StatefulSet of a controller. */
export type Answerer = {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly ready: number
  readonly replicas: number
}

type Runner = { readonly operator: string; readonly machine: string | null }

/** What tells that a controller lives: the Lease of Lockkeeper's own controllers, or the pods of the cluster's. */
export type LifeSign =
  | { readonly by: 'nobody' }
  | ({ readonly by: 'silent-lease' } & Runner)
  | ({ readonly by: 'lease'; readonly renewedMs: number; readonly isSeen: boolean } & Runner)
  | { readonly by: 'pods'; readonly workloads: readonly Answerer[] }

/** The sign of life of one controller. */
export type ControllerLife = {
  readonly controller: string
  readonly sign: LifeSign
  readonly written: LockWrite | null
}

/** What is known of who should move a lock: when it was written last, and what is seen of Lockkeeper's controllers; null: nothing. */
export type LockLife = {
  readonly written: LockWrite | null
  readonly controllers: { readonly by: 'nobody' } | { readonly by: 'lease'; readonly seen: string } | null
}

function writeText({ at, by, agoMs }: LockWrite): string {
  const who = by || 'an unnamed manager'
  return agoMs === null ? `at ${at} by ${who}` : `${ageWords(agoMs)} ago by ${who}`
}

/** What is known of who should move a lock, in a few words; empty: nothing. */
export function lockLifeText({ written, controllers }: LockLife): string {
  return [
    ...(written === null ? [] : [`last written ${writeText(written)}`]),
    ...(controllers === null
      ? []
      : [
          controllers.by === 'nobody'
            ? "nobody runs Lockkeeper's controllers"
            : `the Lease of its controllers: ${asPhrase(controllers.seen)}`,
        ]),
  ].join('; ')
}

function runnerText({ operator, machine }: Runner): string {
  return `${operator} on ${machine ?? 'another machine'}`
}

function workloadsText(workloads: readonly Answerer[]): string {
  return someOf(
    workloads.map(
      ({ kind, namespace, name, ready, replicas }) =>
        `${kind} ${namespace}/${name} has ${ready} of ${replicas} replicas ready`,
    ),
  )
}

function signText(sign: LifeSign): string {
  switch (sign.by) {
    case 'nobody':
      return 'nobody runs its controllers'
    case 'silent-lease':
      return `its controllers are run by ${runnerText(sign)} and are silent`
    case 'lease': {
      const age = ageWords(sign.renewedMs)
      const renewed = sign.isSeen ? `seen to be renewed ${age} ago` : `renewed ${age} ago by its own clock`
      return `its controllers are run by ${runnerText(sign)}, whose Lease was ${renewed}`
    }
    case 'pods':
      return sign.workloads.length === 0 ? 'no known controller was found' : workloadsText(sign.workloads)
  }
}

/** `openstack: Deployment osh-system/rockoon has 1 of 1 replicas ready; its locks were last written 4 min ago by rockoon`. */
function lifeText({ controller, sign, written }: ControllerLife): string {
  const write = written === null ? 'written nobody knows when' : `last written ${writeText(written)}`
  return `${controller}: ${signText(sign)}; its locks were ${write}`
}

/** What is found of who answers a maintenance request. */
export const CONTROLLERS_FINDINGS = {
  MaintenanceApiAnswered: ({ lives }: { readonly lives: readonly ControllerLife[] }) =>
    `${['The definitions are there', ...lives.map(lifeText)].join('. ')}.`,
  ControllerLives: lifeText,
  NoSignOfLife: (life: ControllerLife) =>
    `No sign of life of ${lifeText(life)}. If its lock does not move, the run says so within 30 s.`,
  DefinitionsServed: ({ total }: { readonly total: number }) => `All ${total} definitions are there.`,
  DefinitionDiffers: ({ name }: { readonly name: string }) =>
    `${name} is the cluster's own and differs from ours; it is used as it is.`,
} satisfies TextsOf<string>

type OfController = { readonly controller: string; readonly cluster: string }

const NOBODY_ANSWERS = 'nobody would answer the request'

function startThem(cluster: string): string {
  return `Start them: \`lockkeeper controllers run ${cluster}\`, or the button on the cluster's Update screen.`
}

/** Why nobody would answer a maintenance request. */
export const CONTROLLERS_FAULTS = {
  DefinitionsMissing: ({
    definitions,
    cluster,
  }: {
    readonly definitions: readonly string[]
    readonly cluster: string
  }) => ({
    message: `The cluster does not know ${someOf(definitions, 6)}.`,
    remedy: `Install them: \`lockkeeper crds install ${cluster}\`.`,
    never: 'a request cannot be made without its definition',
  }),
  DefinitionMissing: ({ name, cluster }: { readonly name: string; readonly cluster: string }) => ({
    message: `The cluster does not have ${name}.`,
    remedy: `Install it: \`lockkeeper crds install ${cluster}\`, or the button in the cluster's settings.`,
    never: NOBODY_ANSWERS,
  }),
  ControllerNotReady: ({
    controller,
    workloads,
  }: {
    readonly controller: string
    readonly workloads: readonly Answerer[]
  }) => ({
    message: `No pod of the ${controller} controller is ready: ${workloadsText(workloads)}.`,
    remedy: 'Bring the controller back first: nobody would answer the request.',
  }),
  LocksLeftBehind: ({ controller, locks }: { readonly controller: string; readonly locks: readonly string[] }) => {
    const [was, it] = locks.length === 1 ? ['was', 'it'] : ['were', 'them']
    return {
      message: `${someOf(locks)} ${was} made by Lockkeeper's own controllers (${MADE_BY_ANNOTATION}), which do not answer for ${controller} any more, and its controller in the cluster has not taken over: nobody would ever make ${it} inactive.`,
      remedy: `While no maintenance is under way, delete what they left: \`kubectl delete ${locks.slice(0, 5).join(' ')}\`${locks.length > 5 ? ' and the others' : ''}; the controller makes locks of its own.`,
    }
  },
  /** Lockkeeper's own controllers are set to answer. */
  ControllersStopped: ({ controller, cluster }: OfController) => ({
    message: `Lockkeeper's own controllers are to answer for ${controller}, and nobody runs them now.`,
    remedy: startThem(cluster),
    never: NOBODY_ANSWERS,
  }),
  /** The cluster's controller is set to answer, and the locks were made by Lockkeeper's own. */
  ControllersGone: ({ controller, cluster }: OfController) => ({
    message: `The cluster is to answer for ${controller}, but the locks there were made by Lockkeeper's own controllers, which nobody runs, and no known controller of ${controller} was found.`,
    remedy: startThem(cluster),
  }),
  ControllersSilent: ({
    controller,
    cluster,
    seen,
    freeInMs,
    ...runner
  }: OfController & Runner & { readonly seen: string; readonly freeInMs: number }) => ({
    message: `The controllers that answer for ${controller} are run by ${runnerText(runner)}, and give no sign of life. ${seen}`,
    remedy: `Look after that process. When its Lease has run out (in ${atMostWords(freeInMs)}) another one may take over: \`lockkeeper controllers run ${cluster}\`.`,
    never: NOBODY_ANSWERS,
  }),
} satisfies TextsOf<FaultText>

/** What is read of who answers a maintenance request. */
export const CONTROLLERS_READS = {
  Definitions: () => 'The definitions of the node maintenance API',
  Controllers: () => 'The controllers',
} satisfies TextsOf<string>
