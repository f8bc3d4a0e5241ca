import { asPhrase, counted } from '../../grammar/counts.ts'
import { instantWords } from '../../grammar/times.ts'
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

/** A host that takes no instances; `reason`: why it is disabled, as Nova keeps it. */
type Closed = {
  readonly host: string
  readonly closed: 'down' | 'disabled'
  readonly reason: string | null
}

/** Hosts; null if unknown. */
type Way = {
  readonly from: string | null
  readonly to: string | null
}

/** An instance that stays where it is; `why` is a phrase that follows its name. */
type Staying = {
  readonly id: string
  readonly name: string
  readonly why: Finding
}

type Stays = {
  readonly staying: Items<Staying>
}

/** The instances that did not move. */
type Unresolved = {
  readonly instances: Items<NotMoved>
}

type Notes = {
  readonly notes: readonly Finding[]
}

export const HOME_FINDINGS = {
  ComesHomeAhead: () => 'The instances that move off it return once it is back in service.',
  NoneAway: () => 'Lockkeeper knows of no instance that the maintenance moved off it and that is still away.',
  AllAreHome: () => 'All instances that left are back.',
  InstancesStay: ({ staying }: Stays) => stayWords(staying),
  InstancesToBringHome: ({
    host,
    instances,
    atOnce,
  }: OfHost & { readonly instances: number; readonly atOnce: number }) =>
    `Lockkeeper brings back ${counted(instances, 'instance')} to ${host}, ${atOnce} at a time.`,
  MovesNameTheHost: ({ host }: OfHost) =>
    `Each move names the node ${host}. Newer versions of Nova have a separate rule for that (os_compute_api:os-migrate-server:migrate_live:host); by default it allows only administrators.`,
  HomeIsClosed: (closed: Closed) =>
    `No instance can return: ${closedWords(closed)}. Fix that and try again, skip the step (they stay where they are), or stop the run.`,
  BroughtHome: ({ host, moved, staying }: OfHost & { readonly moved: number } & Stays) =>
    together([`Brought back ${counted(moved, 'instance')} to ${host}.`, stayWords(staying)]),
  NotAllBroughtHome: ({ host, instances }: OfHost & Unresolved) =>
    `${counted(instances.total, 'instance')} could not return to ${host}: ${someItems(instances, ({ why, ...of }) => `${labelOf(of)}: ${why.message}`)}. Try again, skip the step (they stay where they are), or stop the run.`,
  /** `left`: as an operator decided; `others`: those that could return by now. */
  AreHome: ({
    host,
    home,
    left,
    others,
    staying,
  }: OfHost & { readonly home: number; readonly left: Names; readonly others: Names } & Stays) =>
    together([
      `${counted(home, 'instance is', 'instances are')} on ${host} now.`,
      stayWords(staying),
      left.total === 0
        ? ''
        : `${counted(left.total, 'instance')} left where ${itIs(left.total)}, as decided: ${someNames(left)}.`,
      others.total === 0 ? '' : `${someNames(others)} can return now too: \`lockkeeper home\`.`,
    ]),
  /** What happens to an instance: a phrase that follows its name in a plan. */
  ComesHomeAfterItsMove: ({ home }: { readonly home: string }) =>
    `returns to ${home} once the move under way has finished`,
  OnItsWayHome: ({ from }: { readonly from: string | null }) => `is on its way back from ${from}`,
  ComesHome: ({ home, from }: { readonly home: string; readonly from: string | null }) =>
    `returns to ${home} from ${from}`,
  StaysWhereItIs: ({ why }: { readonly why: Finding }) => `stays where it is: ${why.message}`,
  PlaceAtHomeLessThanCertain: ({ notes }: Notes) => asPhrase(messagesOf(notes)),
  /** Why one stays: a phrase that follows its name. */
  NoLongerExists: () => 'it no longer exists',
  ComputeOfItsHostDown: ({ host }: OfHost) => `nova-compute on its node ${host} is down`,
  DoesNotFitAtHome: ({ home, notes }: Notes & { readonly home: string }) =>
    `it does not fit on ${home}: ${notes.length === 0 ? 'no rule says why' : asPhrase(messagesOf(notes))}`,
  NoRecordOfItsMove: ({ from, to }: Way) =>
    `Nova has no record of its move from ${from}${to === null ? '' : ` to ${to}`}`,
  IsElsewhereSince: ({ host, to }: { readonly host: string | null; readonly to: string }) =>
    `it was moved since: it went to ${to} and is now on ${host ?? 'no node'}`,
  WentThereMoreThanOnce: ({ from, to }: Way) =>
    `it went from ${from} to ${to} more than once; Lockkeeper cannot tell which move was its own`,
  MovedSince: ({ from, to }: Way) => `it was moved since, from ${from ?? 'no node'} to ${to ?? 'no node'}`,
  PlacedAnewSince: ({ action, at }: { readonly action: string; readonly at: string }) =>
    `Nova placed it again at ${instantWords(at)}: ${action}`,
  StaysByPolicy: ({ cause }: { readonly policy: string; readonly cause: string }) => cause,
} satisfies TextsOf<string>

export const HOME_FAULTS = {
  HomeTakesNone: ({ node, ...closed }: Closed & OfNode) => ({
    message: `No instance can return: ${closedWords(closed)}.`,
    remedy: `Bring ${node} back into service first (\`lockkeeper leave\`).`,
    never: 'Nova refuses every move to such a node',
  }),
  InErrorAtHome: ({ host, instances }: OfHost & { readonly instances: Names }) => ({
    message: `In ERROR on ${host}: ${someNames(instances)}.`,
    remedy: 'Check these instances.',
  }),
  NotHome: ({ host, instances }: OfHost & { readonly instances: Names }) => ({
    message: `Not back on ${host}: ${someNames(instances)}.`,
    remedy: 'Resume the run to bring them back.',
  }),
} satisfies TextsOf<FaultText>

function closedWords({ host, closed, reason }: Closed): string {
  return closed === 'down'
    ? `nova-compute on ${host} is down`
    : `nova-compute on ${host} is disabled (${reason ?? 'no reason given'})`
}

/** The instances that stay where they are, and why; empty means all move. */
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
