import { asSentence } from '../../grammar/counts.ts'
import { instantWords } from '../../grammar/times.ts'
import type { Finding, TextsOf } from '../steps/coded.ts'
import { type Login, loginWords, type RoleNeeded, roleWords } from './openstack-policy.ts'

/** A service by its common name: `Nova`. */
export type OfService = { readonly service: string }

type Asked = OfService & { readonly call: Finding }

/** `changes`: the request would change something, so after a lost answer its effect is unknown. */
type MayHaveChanged = Asked & { readonly changes: boolean }

/** The response instead of an answer: no secrets, and only the beginning of a body (`output`). `type`: null if none given. */
export type Came = { readonly status: number; readonly type: string | null; readonly output: string }

/** A refusal of a service; `output`: its words; null if there is none. */
type Refused = Asked & { readonly status: number; readonly output: string | null }

/** An unexpected field of an answer: its path, and the issue by the name of the schema. */
type WrongField = { readonly path: string; readonly issue: string }

/** The subject of an answer. */
type Kind = 'action' | 'agent' | 'audit' | 'host' | 'instance' | 'migration' | 'plan' | 'port' | 'server' | 'strategy'

/** A row of a service's database, for a sentence; `name` null: unknown. */
export type RowName =
  | { readonly kind: 'instance'; readonly id: string; readonly name: string | null }
  | { readonly kind: 'migration'; readonly migration: number; readonly id: string; readonly name: string | null }
  | { readonly kind: 'service'; readonly binary: string; readonly host: string }
  | { readonly kind: 'action' | 'action plan'; readonly id: string }

/** Failures of any service of a cloud. */
export const OPENSTACK_REASONS = {
  CallStopped: ({ call, changes }: { readonly call: Finding; readonly changes: boolean }) =>
    `Stopped before it was done: ${call.message}.${received(changes)}`,
  ServiceTimedOut: ({ call, service, address, changes }: MayHaveChanged & { readonly address: string }) =>
    `Could not ${call.message}: ${service} at ${address} did not answer in time.${received(changes)}`,
  ServiceAnswerSenseless: ({
    call,
    service,
    address,
    wrong,
    changes,
  }: MayHaveChanged & { readonly address: string; readonly wrong: Finding }) =>
    `Could not ${call.message}: ${service} at ${address} ${wrong.message}.${received(changes)} Is a proxy or another server in between?`,
  ServiceUnreachable: ({
    call,
    service,
    address,
    fault,
    changes,
  }: MayHaveChanged & { readonly address: string; readonly fault: Finding }) =>
    `Could not ${call.message}: ${service} at ${address} ${fault.message}${received(changes)}`,
  NotAServiceAnswer: ({
    call,
    service,
    came,
    changes,
  }: MayHaveChanged & { readonly came: Came; readonly why: Finding }) =>
    `Could not ${call.message}: ${service} sent an invalid answer (${cameWords(came)}).${
      done(changes) || ' Lockkeeper ignored it.'
    } Is a proxy or a login page in between?`,
  ServiceAnswerOfPast: ({ call, service, why, changes }: MayHaveChanged & { readonly why: Finding }) =>
    `Could not ${call.message}: the answer of ${service} is old: ${why.message}.${done(changes)} Does a cache or a proxy store answers, is a database replica behind, or do the clocks of its API servers differ?`,
  ServiceAnswerUnexpected: (refused: Refused) =>
    `Could not ${refused.call.message}: ${refused.service} gave an unexpected answer (${saidBy(refused)}). Is its address right?`,
  ServiceRefused: (refused: Refused) => `Could not ${refused.call.message}: ${asSentence(saidBy(refused))}`,
  ServiceFailed: (refused: Refused) =>
    `Could not ${refused.call.message}: ${refused.service} failed (${saidBy(refused)}). Its log has more under the request id.`,
  ApiVersionGone: (refused: Refused) =>
    `Could not ${refused.call.message}: ${asSentence(saidBy(refused))} The API changed meanwhile; Lockkeeper asks for its versions again.`,
  ServiceThrottles: ({ call, service }: Asked) =>
    `Could not ${call.message}: ${service} asks to slow down. Try again in a while.`,
  TokenNotAccepted: ({ call, service, who }: Asked & { readonly who: Login }) =>
    `Could not ${call.message}: ${service} does not accept the token of ${loginWords(who)}, even after a renewal. Is the account still enabled, and do ${service} and this clouds.yaml use the same Keystone?`,
  PolicyForbids: ({
    call,
    service,
    rule,
    who,
    role,
  }: Asked & { readonly rule: string; readonly who: Login; readonly role: RoleNeeded }) =>
    `Could not ${call.message}: the rule ${rule} of ${service}'s policy does not allow this to ${loginWords(who)}. It needs ${roleWords(role)}: use such credentials, or widen the rule.`,
  ServiceForbids: ({ call, service, who, output }: Asked & { readonly who: Login; readonly output: string | null }) =>
    `Could not ${call.message}: ${service} forbids this to ${loginWords(who)}${output === null ? '.' : `: ${asSentence(output)}`}`,
  PagesWithoutEnd: ({ call, service }: Asked) =>
    `Could not ${call.message}: ${service} sends pages without end. Lockkeeper ignored them.`,

  // Why an answer is invalid.
  NotHowAnswered: ({ status }: { readonly status: number }) => `HTTP ${status} is not a valid answer to this request`,
  FieldsNotKnown: ({ fields }: { readonly fields: readonly WrongField[] }) =>
    fields.map(({ path, issue }) => `${path || 'answer'}: ${issue}`).join('; '),
  AgreedOtherwise: ({ agreed, status }: { readonly agreed: readonly number[]; readonly status: number }) =>
    `accepted with HTTP ${agreed.join(' or ')}, not ${status}`,
  AgreedWithBody: () => 'it has a body, although this confirmation has none',
  NotARefusal: () => 'its refusal does not have the form of this service',
  OtherMicroversion: ({ asked, reported }: { readonly asked: string; readonly reported: string | null }) =>
    `requested microversion ${asked}, got ${reported ?? 'none'}`,
  NoApiVersions: () => 'it does not show its API versions',
  OtherOne: ({ kind }: { readonly kind: Kind }) => `another ${kind}`,
  OnesOfOther: ({ kind, of }: { readonly kind: Kind; readonly of: Kind }) => `${kind}s of another ${of}`,

  // Signs of an old answer.
  RowWentBack: ({
    row,
    changedAt,
    receivedAt,
  }: {
    readonly row: RowName
    readonly changedAt: string
    readonly receivedAt: string
  }) =>
    `it says that ${rowWords(row)} last changed at ${instantWords(changedAt)}, but an earlier answer showed a change at ${instantWords(receivedAt)}. Lockkeeper accepts it if Nova repeats it for ten minutes`,
  RowNotAsChanged: ({ row, changedAt }: { readonly row: RowName; readonly changedAt: string }) =>
    `${rowWords(row)} lacks the change made at ${instantWords(changedAt)}`,
} satisfies TextsOf<string>

function done(changes: boolean): string {
  return changes ? ' It may have been done: check before you try again.' : ''
}

function received(changes: boolean): string {
  return changes ? ' It may have been received: check before you try again.' : ''
}

function saidBy({ service, status, output }: Refused): string {
  return output === null ? `HTTP ${status}` : `${service} says: ${output}`
}

export function cameWords({ status, type, output }: Came): string {
  return `HTTP ${status}, ${type ?? 'no content type'}, ${output === '' ? 'no body' : `beginning with “${output}”`}`
}

function rowWords(row: RowName): string {
  switch (row.kind) {
    case 'instance':
      return `instance ${calledWords(row)}`
    case 'migration':
      return `migration ${row.migration} of instance ${calledWords(row)}`
    case 'service':
      return `${row.binary} on ${row.host}`
    default:
      return `${row.kind} ${row.id}`
  }
}

/** `vm-01 (6f1c…)`, or the id if only that is known. */
export function calledWords({ id, name }: { readonly id: string; readonly name: string | null }): string {
  return name === null ? id : `${name} (${id})`
}
