import { MADE_BY_ANNOTATION } from '../../domain/maintenance-api.ts'
import { asPhrase, someOf } from '../../grammar/counts.ts'
import { ageWords, atMostWords } from '../../grammar/durations.ts'
import { instantWords } from '../../grammar/times.ts'
import type { FaultText, TextsOf } from './coded.ts'

/** The last write of a lock. `agoMs`: by the API server's clock; null if unknown. */
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

/** A sign that a controller is alive: the Lease of Lockkeeper's own controllers, or the pods of the cloud's. */
export type LifeSign =
  | { readonly by: 'nobody' }
  | ({ readonly by: 'silent-lease' } & Runner)
  | ({ readonly by: 'lease'; readonly renewedMs: number; readonly isSeen: boolean } & Runner)
  | { readonly by: 'pods'; readonly workloads: readonly Answerer[] }

export type ControllerLife = {
  readonly controller: string
  readonly sign: LifeSign
  readonly written: LockWrite | null
}

/** The controller that should change a lock: its last write, and the sign of Lockkeeper's controllers; null if unknown. */
export type LockLife = {
  readonly written: LockWrite | null
  readonly controllers: { readonly by: 'nobody' } | { readonly by: 'lease'; readonly seen: string } | null
}

function writeText({ at, by, agoMs }: LockWrite): string {
  const who = by || 'an unnamed manager'
  return agoMs === null ? `at ${instantWords(at)} by ${who}` : `${ageWords(agoMs)} ago by ${who}`
}

/** A few words on the controller that should change a lock; empty if unknown. */
export function lockLifeText({ written, controllers }: LockLife): string {
  return [
    ...(written === null ? [] : [`last written ${writeText(written)}`]),
    ...(controllers === null
      ? []
      : [
          controllers.by === 'nobody'
            ? "Lockkeeper's controllers do not run"
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
      return 'no process runs its controllers'
    case 'silent-lease':
      return `${runnerText(sign)} runs its controllers, which do not report`
    case 'lease': {
      const age = ageWords(sign.renewedMs)
      const renewed = sign.isSeen ? `renewed ${age} ago, as this console saw` : `renewed ${age} ago by its own clock`
      return `${runnerText(sign)} runs its controllers; their Lease was ${renewed}`
    }
    case 'pods':
      return sign.workloads.length === 0 ? 'no known controller was found' : workloadsText(sign.workloads)
  }
}

/** `openstack: Deployment osh-system/rockoon has 1 of 1 replicas ready; its locks were last written 4 min ago by rockoon`. */
function lifeText({ controller, sign, written }: ControllerLife): string {
  const write = written === null ? 'last written at an unknown time' : `last written ${writeText(written)}`
  return `${controller}: ${signText(sign)}; its locks were ${write}`
}

export const CONTROLLERS_FINDINGS = {
  MaintenanceApiAnswered: ({ lives }: { readonly lives: readonly ControllerLife[] }) =>
    `${['The definitions exist', ...lives.map(lifeText)].join('. ')}.`,
  ControllerLives: lifeText,
  NoSignOfLife: (life: ControllerLife) =>
    `No sign of life of ${lifeText(life)}. If its lock does not change, the run says so within 30 s.`,
  DefinitionsServed: ({ total }: { readonly total: number }) => `All ${total} definitions exist.`,
  DefinitionDiffers: ({ name }: { readonly name: string }) =>
    `The cloud has a version of ${name} that differs from Lockkeeper's. Lockkeeper uses it unchanged.`,
} satisfies TextsOf<string>

type OfController = { readonly controller: string; readonly cluster: string }

const NOBODY_ANSWERS = 'no controller would answer the request'

function startThem(cluster: string): string {
  return `Start them: \`lockkeeper controllers run ${cluster}\`, or the button on the cloud's Update screen.`
}

/** Why no controller would answer a maintenance request. */
export const CONTROLLERS_FAULTS = {
  DefinitionsMissing: ({
    definitions,
    cluster,
  }: {
    readonly definitions: readonly string[]
    readonly cluster: string
  }) => ({
    message: `The cloud does not have ${someOf(definitions, 6)}.`,
    remedy: `Install them: \`lockkeeper crds install ${cluster}\`.`,
    never: 'a request cannot be made without its definition',
  }),
  DefinitionMissing: ({ name, cluster }: { readonly name: string; readonly cluster: string }) => ({
    message: `The cloud does not have ${name}.`,
    remedy: `Install it: \`lockkeeper crds install ${cluster}\`, or the button in the cloud's settings.`,
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
    remedy: 'Bring the controller back first: until then nothing answers the request.',
  }),
  LocksLeftBehind: ({ controller, locks }: { readonly controller: string; readonly locks: readonly string[] }) => {
    const [was, it] = locks.length === 1 ? ['was', 'it'] : ['were', 'them']
    return {
      message: `${someOf(locks)} ${was} made by Lockkeeper's own controllers (${MADE_BY_ANNOTATION}), which no longer answer for ${controller}. Its controller in the cloud has not taken over, so nothing would ever make ${it} inactive.`,
      remedy: `While no maintenance is running, delete the leftovers: \`kubectl delete ${locks.slice(0, 5).join(' ')}\`${locks.length > 5 ? ' and the others' : ''}. The controller then makes its own locks.`,
    }
  },
  /** The settings name Lockkeeper's own controllers. */
  ControllersStopped: ({ controller, cluster }: OfController) => ({
    message: `The settings name Lockkeeper's own controllers for ${controller}, but they are not running.`,
    remedy: startThem(cluster),
    never: NOBODY_ANSWERS,
  }),
  /** The settings name the cloud's controller, but Lockkeeper's own controllers made the locks. */
  ControllersGone: ({ controller, cluster }: OfController) => ({
    message: `The settings name the cloud's controller for ${controller}, but its locks come from Lockkeeper's own controllers. These are not running, and no known controller of ${controller} was found.`,
    remedy: startThem(cluster),
  }),
  ControllersSilent: ({
    controller,
    cluster,
    seen,
    freeInMs,
    ...runner
  }: OfController & Runner & { readonly seen: string; readonly freeInMs: number }) => ({
    message: `${runnerText(runner)} runs the controllers for ${controller}, but they do not report. ${seen}`,
    remedy: `Check that process. When its Lease expires (in ${atMostWords(freeInMs)}) another one may take over: \`lockkeeper controllers run ${cluster}\`.`,
    never: NOBODY_ANSWERS,
  }),
} satisfies TextsOf<FaultText>

export const CONTROLLERS_READS = {
  Definitions: () => 'The definitions of the node maintenance API',
  Controllers: () => 'The controllers',
} satisfies TextsOf<string>
