import { asPhrase, counted } from '../../grammar/counts.ts'
import {
  type FaultText,
  type Finding,
  type Items,
  labelOf,
  messagesOf,
  type Names,
  type OfHost,
  type OfNode,
  someItems,
  someNames,
  type TextsOf,
} from './coded.ts'
import type { NotMoved } from './instances-moves.ts'

/** Why a host takes no instances; `reason`: why it is disabled, as Nova keeps it. */
type Closed = {
  readonly host: string
  readonly closed: 'down' | 'disabled'
  readonly reason: string | null
}

/** `from` and `to`: hosts, null: none. */
type Way = {
  readonly from: string | null
  readonly to: string | null
}

/** An instance, and why it is left where it is: a phrase that goes on after its name. */
type Staying = {
  readonly id: string
  readonly name: string
  readonly why: Finding
}

/** `staying`: those that are left where they are. */
type Stays = {
  readonly staying: Items<Staying>
}

/** `instances`: those that did not move. */
type Unresolved = {
  readonly instances: Items<NotMoved>
}

type Notes = {
  readonly notes: readonly Finding[]
}

/** What comes home, and what is left where it is. */
export const HOME_FINDINGS = {
  ComesHomeAhead: () => 'Those that move off it come home, once it is back in service.',
  NoneAway: () => 'No instance is known that the maintenance took off it and that is still away.',
  AllAreHome: () => 'All that left are home again.',
  InstancesStay: ({ staying }: Stays) => stayWords(staying),
  InstancesToBringHome: ({
    host,
    instances,
    atOnce,
  }: OfHost & { readonly instances: number; readonly atOnce: number }) =>
    `${counted(instances, 'instance')} to bring home to ${host}, ${atOnce} at once.`,
  MovesNameTheHost: ({ host }: OfHost) =>
    `Each move names the host ${host}: newer Novas allow that by a rule of its own (os_compute_api:os-migrate-server:migrate_live:host), by default to administrators.`,
  HomeIsClosed: (closed: Closed) =>
    `No instance can be brought home: ${closedWords(closed)}. Mend it and retry, skip (they stay where they are), or abort.`,
  BroughtHome: ({ host, moved, staying }: OfHost & { readonly moved: number } & Stays) =>
    together([`${counted(moved, 'instance')} brought home to ${host}.`, stayWords(staying)]),
  NotAllBroughtHome: ({ host, instances }: OfHost & Unresolved) =>
    `${counted(instances.total, 'instance')} could not be brought home to ${host}: ${someItems(instances, ({ why, ...of }) => `${labelOf(of)}: ${why.message}`)}. Retry, skip (they stay where they are), or abort.`,
  /** `left`: as a person decided; `others`: those that could come home by now. */
  AreHome: ({
    host,
    home,
    left,
    others,
    staying,
  }: OfHost & { readonly home: number; readonly left: Names; readonly others: Names } & Stays) =>
    together([
      `${counted(home, 'instance')} home on ${host}.`,
      stayWords(staying),
      left.total === 0
        ? ''
        : `${counted(left.total, 'instance')} left where ${itIs(left.total)}, as decided: ${someNames(left)}.`,
      others.total === 0 ? '' : `Now ${someNames(others)} could come home too: \`lockkeeper home\`.`,
    ]),
  /** What becomes of an instance: after its name, in what a plan tells of it. */
  ComesHomeAfterItsMove: ({ home }: { readonly home: string }) =>
    `comes home to ${home} once the move under way is over`,
  OnItsWayHome: ({ from }: { readonly from: string | null }) => `is on its way home from ${from}`,
  ComesHome: ({ home, from }: { readonly home: string; readonly from: string | null }) =>
    `comes home to ${home} from ${from}`,
  StaysWhereItIs: ({ why }: { readonly why: Finding }) => `stays where it is: ${why.message}`,
  PlaceAtHomeLessThanCertain: ({ notes }: Notes) => asPhrase(messagesOf(notes)),
  /** Why one stays: after its name. */
  NoLongerExists: () => 'it no longer exists',
  ComputeOfItsHostDown: ({ host }: OfHost) => `nova-compute on ${host}, where it is, is down`,
  DoesNotFitAtHome: ({ home, notes }: Notes & { readonly home: string }) =>
    `it does not fit on ${home}: ${notes.length === 0 ? 'no rule says why' : asPhrase(messagesOf(notes))}`,
  NoRecordOfItsMove: ({ from, to }: Way) =>
    `Nova has no record of its move from ${from}${to === null ? '' : ` to ${to}`}`,
  IsElsewhereSince: ({ host, to }: { readonly host: string | null; readonly to: string }) =>
    `it was moved since: it is on ${host ?? 'no host'}, and went to ${to}`,
  WentThereMoreThanOnce: ({ from, to }: Way) =>
    `it went from ${from} to ${to} more than once, and which of those moves was ours is not known`,
  MovedSince: ({ from, to }: Way) => `it was moved since, from ${from ?? 'no host'} to ${to ?? 'no host'}`,
  PlacedAnewSince: ({ action, at }: { readonly action: string; readonly at: string }) =>
    `it was placed anew since: ${action} at ${at}`,
  StaysByPolicy: ({ cause }: { readonly policy: string; readonly cause: string }) => cause,
} satisfies TextsOf<string>

/** What is in the way of those that are to come home. */
export const HOME_FAULTS = {
  HomeTakesNone: ({ node, ...closed }: Closed & OfNode) => ({
    message: `No instance can be brought home: ${closedWords(closed)}.`,
    remedy: `Bring ${node} back into service first (\`lockkeeper leave\`).`,
    never: 'Nova refuses every move to such a host',
  }),
  InErrorAtHome: ({ host, instances }: OfHost & { readonly instances: Names }) => ({
    message: `In ERROR on ${host}: ${someNames(instances)}.`,
    remedy: 'Look at these instances.',
  }),
  NotHome: ({ host, instances }: OfHost & { readonly instances: Names }) => ({
    message: `Not home on ${host}: ${someNames(instances)}.`,
    remedy: 'Resume the run to bring them home.',
  }),
} satisfies TextsOf<FaultText>

function closedWords({ host, closed, reason }: Closed): string {
  return closed === 'down'
    ? `nova-compute on ${host} is down`
    : `nova-compute on ${host} is disabled (${reason ?? 'no reason given'})`
}

/** Who is left where it is, and why; empty: nobody is. */
function stayWords(staying: Items<Staying>): string {
  const { total } = staying
  if (total === 0) return ''
  const who = someItems(staying, ({ why, ...of }) => `${labelOf(of)}: ${why.message}`, 20)
  return `${counted(total, 'instance stays', 'instances stay')} where ${itIs(total)}: ${who}.`
}

function itIs(many: number): string {
  return many === 1 ? 'it is' : 'they are'
}

function together(sentences: readonly string[]): string {
  return sentences.filter(sentence => sentence !== '').join(' ')
}
