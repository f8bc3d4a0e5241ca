import { isReasonOfNova } from '../domain/disabled-reason.ts'
import {
  type Declined,
  type HeldBackBy,
  isAsAgreed,
  type NodeVerdict,
  onlyStopsWithNode,
  type StayReason,
  type StillHere,
  type Unread,
} from '../domain/node-verdict.ts'
import { namesOf } from '../domain/plan-effects.ts'
import { asSentence, counted, listed, someOf } from '../grammar/counts.ts'
import { disablerWords } from './disablers.ts'
import { taintWords } from './node-taints.ts'

/** Longest list of names in a sentence. */
const MOST_NAMED = 4

/** `Empty`, `Empty but for cache-01`, `Not empty: 2` */
export function verdictBadge(verdict: NodeVerdict): string {
  switch (verdict.kind) {
    case 'Empty':
      return 'Empty'
    case 'NotEmpty': {
      if (onlyStopsWithNode(verdict)) return `Empty but for ${stopsWords(verdict.instances)}`
      if (verdict.forcedDown && notRescuedIn(verdict) > 0) return `${notRescuedIn(verdict)} not rescued`
      return `Not empty: ${verdict.instances.length + verdict.pods.length}`
    }
    case 'Unknown':
      return 'Unknown'
    case 'InService':
      return 'In service'
    case 'HeldBack':
      return 'Takes no work'
  }
}

/** A verdict as a title with the name apart: `cmp-01`, `is empty`. */
export function verdictNamed(
  node: string,
  verdict: NodeVerdict,
): readonly [before: string, name: string, after: string] {
  switch (verdict.kind) {
    case 'Empty':
      return ['', node, 'is empty']
    case 'NotEmpty':
      if (onlyStopsWithNode(verdict)) return ['', node, `is empty but for ${stopsWords(verdict.instances)}`]
      if (verdict.forcedDown && (verdict.instances.length === 0 || notRescuedIn(verdict) > 0))
        return notRescuedNamed(node, notRescuedIn(verdict))
      return ['', node, isAsAgreed(verdict) ? 'is drained, not empty' : 'is not empty']
    case 'Unknown':
      return ['Lockkeeper cannot tell whether', node, verdict.about === 'service' ? 'takes work' : 'is empty']
    case 'InService':
      return ['', node, 'is in service']
    case 'HeldBack':
      return ['', node, 'takes no work yet']
  }
}

/** `cmp-01 is not empty.` */
export function verdictTitle(node: string, verdict: NodeVerdict): string {
  return `${verdictNamed(node, verdict)
    .filter(part => part !== '')
    .join(' ')}.`
}

/** The advice of a verdict: `Safe to power off.`, or what is left and why. */
export function verdictDetail(verdict: NodeVerdict): string {
  switch (verdict.kind) {
    case 'Empty':
      return ['Safe to power off.', ...offWords(verdict.off), ...verdict.declined.map(declinedWords)].join(' ')
    case 'NotEmpty':
      if (onlyStopsWithNode(verdict)) {
        const who = verdict.instances.length === 1 ? 'It stops' : 'They stop'
        return [`${who} with the node, as planned. Safe to power off.`, ...verdict.declined.map(declinedWords)].join(
          ' ',
        )
      }
      return [
        ...stillHereWords(verdict.instances, verdict.forcedDown),
        ...podWords(verdict.pods),
        ...verdict.unread.map(unreadWords),
        ...(verdict.forcedDown ? [] : ['Do not power it off.']),
        ...verdict.declined.map(declinedWords),
      ].join(' ')
    case 'Unknown':
      return [
        ...verdict.unread.map(unreadWords),
        ...(verdict.about === 'service' ? [] : ['Do not power it off.']),
      ].join(' ')
    case 'InService':
      return ['It takes work.', ...(verdict.taints ?? []).map(otherTaintWords)].join(' ')
    case 'HeldBack':
      return verdict.by.map(heldBackWords).join(' ')
  }
}

/** `cmp-01 is not empty: web-01 and shop-01 still run on it. Do not power it off.` */
export function verdictSentence(node: string, verdict: NodeVerdict): string {
  const title = verdictTitle(node, verdict)
  if (verdict.kind === 'InService') return [title, ...(verdict.taints ?? []).map(otherTaintWords)].join(' ')
  const detail = verdictDetail(verdict)
  return verdict.kind === 'Empty' || (verdict.kind === 'NotEmpty' && onlyStopsWithNode(verdict))
    ? `${title} ${detail}`
    : `${title.replace(/\.$/, ':')} ${detail}`
}

/** Why an instance is still there, in a few words, with the operator who left it there. */
export function stayWords({ code, decided }: Pick<StillHere, 'code' | 'decided'>): string {
  return code === 'LeftHere' && decided !== null ? leftHereWords(decided) : STAY_WORDS[code]
}

/** The operator who left an instance on its node, and the reason; `by` null: the rule of the plan. */
export function leftHereWords({ by, reason }: { readonly by: string | null; readonly reason: string }): string {
  const who = by === null ? 'by the rule of the plan' : by === '' ? '' : `by ${by}`
  return [`${STAY_WORDS.LeftHere}${who === '' ? '' : ` ${who}`}`, ...(reason === '' ? [] : [reason])].join(': ')
}

const STAY_WORDS: Readonly<Record<StayReason, string>> = {
  StillRuns: 'still runs here',
  NotRescued: 'is not rescued',
  LeftHere: 'left here',
  StopsWithNode: 'stops with the node',
  WaitsForOwner: 'waits for its owner',
  StaysByScope: 'stays: this work does not reboot the node',
  Arriving: 'is on its way here',
  AwaitsConfirmation: 'left, but can be reverted to here',
  Busy: 'is busy in Nova',
  InError: 'is in ERROR',
}

/** \`cache-01\`, \`3 instances\`. */
function stopsWords(instances: readonly StillHere[]): string {
  const [only] = instances
  return instances.length === 1 && only !== undefined ? only.name : counted(instances.length, 'instance')
}

function unreadWords({ what, code, message }: Unread): string {
  const said = message === '' ? '' : ` ${message}`
  switch (code) {
    case 'NotAsked':
      return `${UNREAD_WORDS[what]} were not read.${said}`
    case 'NoAnswer':
      return `${UNREAD_WORDS[what]} could not be read.${said}`
    case 'PartialAnswer':
      return `${UNREAD_WORDS[what]} could be read only in part.${said}`
    case 'NotProved':
      return `Lockkeeper cannot tell whether the list of its instances is complete.${said}`
  }
}

const UNREAD_WORDS: Readonly<Record<Unread['what'], string>> = {
  node: 'The node and its taints',
  instances: 'Its instances',
  migrations: 'Migrations to and from it',
  pods: 'Its pods',
  'compute-service': 'Its compute services',
  osds: 'Its OSDs',
}

function stillHereWords(instances: readonly StillHere[], forcedDown: true | undefined): readonly string[] {
  const groups = Map.groupBy(urgentFirst(instances), ({ code }) => sentenceKind(code))
  return [...groups].map(([kind, those]) => {
    const names = [...namesOf(those).values()]
    const who = names.length > MOST_NAMED ? someOf(names, MOST_NAMED) : listed(names)
    const left = forcedDown ? LISTED_WORDS[kind] : LEFT_WORDS[kind]
    return `${who} ${left[names.length === 1 ? 0 : 1]}.`
  })
}

/** The instances left on a node, the most urgent first: still running first, stopping with the node last. */
export function urgentFirst(instances: readonly StillHere[]): readonly StillHere[] {
  const rank = ({ code }: StillHere) => URGENCY.indexOf(sentenceKind(code))
  return instances.toSorted((a, b) => rank(a) - rank(b))
}

const URGENCY: readonly SentenceKind[] = ['runs', 'error', 'arrives', 'reverts', 'scope', 'stops']

type SentenceKind = 'runs' | 'error' | 'stops' | 'scope' | 'arrives' | 'reverts'

function sentenceKind(code: StayReason): SentenceKind {
  switch (code) {
    case 'StopsWithNode':
      return 'stops'
    case 'StaysByScope':
      return 'scope'
    case 'Arriving':
      return 'arrives'
    case 'AwaitsConfirmation':
      return 'reverts'
    case 'InError':
      return 'error'
    default:
      return 'runs'
  }
}

const LEFT_WORDS: Readonly<Record<SentenceKind, readonly [one: string, many: string]>> = {
  runs: ['still runs on it', 'still run on it'],
  error: ['is on it in ERROR', 'are on it in ERROR'],
  stops: ['runs on it until it stops with the node', 'run on it until they stop with the node'],
  scope: ['keeps running: this work does not reboot the node', 'keep running: this work does not reboot the node'],
  arrives: ['is on its way to it', 'are on their way to it'],
  reverts: ['left it, but can still be reverted to it', 'left it, but can still be reverted to it'],
}

/** On a machine that is forced down: where Nova has them, and not that they run. */
const LISTED_WORDS: typeof LEFT_WORDS = {
  ...LEFT_WORDS,
  runs: ['is still on it in Nova', 'are still on it in Nova'],
}

/** How many Nova has there: others left but may be reverted, or are on their way. */
function notRescuedIn({ instances }: Extract<NodeVerdict, { kind: 'NotEmpty' }>): number {
  return instances.filter(({ code }) => code !== 'Arriving' && code !== 'AwaitsConfirmation').length
}

/** `3 instances of`, `cmp-01`, `are not rescued` */
function notRescuedNamed(node: string, amount: number): readonly [before: string, name: string, after: string] {
  if (amount === 0) return ['', node, 'still has pods in Kubernetes']
  return [`${counted(amount, 'instance')} of`, node, amount === 1 ? 'is not rescued' : 'are not rescued']
}

function podWords(pods: readonly string[]): readonly string[] {
  return pods.length === 0 ? [] : [`${counted(pods.length, 'pod')} that had to leave: ${someOf(pods, MOST_NAMED)}.`]
}

function offWords(off: readonly { readonly name: string }[]): readonly string[] {
  const names = off.map(({ name }) => name)
  const who = names.length > MOST_NAMED ? someOf(names, MOST_NAMED) : listed(names)
  return names.length === 0 ? [] : [`${who} ${names.length === 1 ? 'stays' : 'stay'} off on it.`]
}

/** A safeguard that the operator declined. */
function declinedWords({ osds }: Declined): string {
  const [is, its] = osds.length === 1 ? ['is', 'its'] : ['are', 'their']
  return `OSD ${osds.join(', ')} ${is} up without noout: Ceph copies ${its} data elsewhere when the node is off.`
}

function heldBackWords(by: HeldBackBy): string {
  switch (by.code) {
    case 'ComputeDisabled':
      return isReasonOfNova(by.reason)
        ? `nova-compute disabled itself (${by.reason}) and enables itself as soon as libvirt answers.`
        : asSentence(`nova-compute stays disabled, by ${disablerWords(by.reason)}: ${by.reason ?? 'no reason given'}`)
    case 'ComputeDown':
      return 'nova-compute is down.'
    case 'Cordoned':
      return 'It is still cordoned.'
    case 'Tainted':
      return `The taint ${taintWords(by.taint, by.owner)} keeps pods off it.`
  }
}

/** A taint without a known owner or purpose. */
function otherTaintWords(taint: string): string {
  return `Pods that do not tolerate its taint ${taint} stay off it.`
}
