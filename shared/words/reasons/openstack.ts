import { asSentence } from '../../grammar/counts.ts'
import type { Finding, TextsOf } from '../steps/coded.ts'
import { type Login, loginWords, type RoleNeeded, roleWords } from './openstack-policy.ts'

/** Which service it is, by the name operators know it by: `Nova`. */
export type OfService = { readonly service: string }

/** What was asked of a service. */
type Asked = OfService & { readonly call: Finding }

/** `changes`: it would have changed something, so that an answer that was lost leaves open whether it did. */
type MayHaveChanged = Asked & { readonly changes: boolean }

/** What came instead of an answer: no secrets, and only the beginning of a body (`output`). `type`: null where none was told. */
export type Came = { readonly status: number; readonly type: string | null; readonly output: string }

/** What a service refused; `output`: its own words, null where it told none. */
type Refused = Asked & { readonly status: number; readonly output: string | null }

/** A field of an answer that is not as it is known: its path, and the issue by the name of the schema. */
type WrongField = { readonly path: string; readonly issue: string }

/** What an answer was not about. */
type Kind = 'action' | 'agent' | 'audit' | 'host' | 'instance' | 'migration' | 'plan' | 'port' | 'server' | 'strategy'

/** A row of a service's database, as a sentence names it. `name`: null where nothing told one. */
export type RowName =
  | { readonly kind: 'instance'; readonly id: string; readonly name: string | null }
  | { readonly kind: 'migration'; readonly migration: number; readonly id: string; readonly name: string | null }
  | { readonly kind: 'service'; readonly binary: string; readonly host: string }
  | { readonly kind: 'action' | 'action plan'; readonly id: string }

/** Texts of what comes back from the services of a cloud, whichever of them it is. */
export const OPENSTACK_REASONS = {
  CallStopped: ({ call, changes }: { readonly call: Finding; readonly changes: boolean }) =>
    `Stopped before this was done: ${call.message}.${received(changes)}`,
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
    `Could not ${call.message}: what came is not an answer of ${service} to that (${cameWords(came)}).${
      done(changes) || ' Nothing was learnt from it.'
    } Is a proxy or a login page in between?`,
  ServiceAnswerOfPast: ({ call, service, why, changes }: MayHaveChanged & { readonly why: Finding }) =>
    `Could not ${call.message}: what came from ${service} is of the past: ${why.message}.${done(changes)} Does a cache or a proxy on the way keep answers, is a database replica behind, are the clocks of its API servers apart?`,
  ServiceAnswerUnexpected: (refused: Refused) =>
    `Could not ${refused.call.message}: ${refused.service} answered in an unexpected way (${saidBy(refused)}). Is its address right?`,
  ServiceRefused: (refused: Refused) => `Could not ${refused.call.message}: ${asSentence(saidBy(refused))}`,
  ServiceFailed: (refused: Refused) =>
    `Could not ${refused.call.message}: ${refused.service} failed (${saidBy(refused)}). Its log has more under the request id.`,
  ApiVersionGone: (refused: Refused) =>
    `Could not ${refused.call.message}: ${asSentence(saidBy(refused))} The API was changed meanwhile; the versions are asked for again.`,
  ServiceThrottles: ({ call, service }: Asked) =>
    `Could not ${call.message}: ${service} asks to slow down. Try again in a while.`,
  TokenNotAccepted: ({ call, service, who }: Asked & { readonly who: Login }) =>
    `Could not ${call.message}: ${service} does not accept the token of ${loginWords(who)}, also after it was renewed. Is the account still enabled, do ${service} and this clouds.yaml use the same Keystone?`,
  PolicyForbids: ({
    call,
    service,
    rule,
    who,
    role,
  }: Asked & { readonly rule: string; readonly who: Login; readonly role: RoleNeeded }) =>
    `Could not ${call.message}: the rule ${rule} of ${service}'s policy does not allow this to ${loginWords(who)}. It needs ${roleWords(role)}: use such credentials, or have the rule widened.`,
  ServiceForbids: ({ call, service, who, output }: Asked & { readonly who: Login; readonly output: string | null }) =>
    `Could not ${call.message}: ${service} forbids this to ${loginWords(who)}${output === null ? '.' : `: ${asSentence(output)}`}`,
  PagesWithoutEnd: ({ call, service }: Asked) =>
    `Could not ${call.message}: ${service} gives page after page without an end. Nothing was learnt from it.`,

  // Why an answer is not one to what was asked.
  NotHowAnswered: ({ status }: { readonly status: number }) => `HTTP ${status} is not how this is answered`,
  FieldsNotKnown: ({ fields }: { readonly fields: readonly WrongField[] }) =>
    fields.map(({ path, issue }) => `${path || 'answer'}: ${issue}`).join('; '),
  AgreedOtherwise: ({ agreed, status }: { readonly agreed: readonly number[]; readonly status: number }) =>
    `agreed to with HTTP ${agreed.join(' or ')}, not ${status}`,
  AgreedWithBody: () => 'it has a body, and an agreement has none',
  NotARefusal: () => 'it is not a refusal in its own form',
  OtherMicroversion: ({ asked, reported }: { readonly asked: string; readonly reported: string | null }) =>
    `asked for microversion ${asked}, answered ${reported ?? 'without one'}`,
  NoApiVersions: () => 'it does not say which API versions it speaks',
  OtherOne: ({ kind }: { readonly kind: Kind }) => `another ${kind}`,
  OnesOfOther: ({ kind, of }: { readonly kind: Kind; readonly of: Kind }) => `${kind}s of another ${of}`,

  // By what an answer shows to be of the past.
  RowWentBack: ({
    row,
    changedAt,
    receivedAt,
  }: {
    readonly row: RowName
    readonly changedAt: string
    readonly receivedAt: string
  }) =>
    `it says that ${rowWords(row)} was changed last at ${changedAt}, and an earlier answer had a change at ${receivedAt} (believed if it stays so for ten minutes; a new process asks again)`,
  RowNotAsChanged: ({ row, changedAt }: { readonly row: RowName; readonly changedAt: string }) =>
    `${rowWords(row)} is not as it was changed at ${changedAt}`,
} satisfies TextsOf<string>

function done(changes: boolean): string {
  return changes ? ' It is unknown whether it was done: look before you try again.' : ''
}

function received(changes: boolean): string {
  return changes ? ' It is unknown whether it was received: look before you try again.' : ''
}

function saidBy({ service, status, output }: Refused): string {
  return output === null ? `HTTP ${status}` : `${service} says: ${output}`
}

/** What came instead of an answer, within a sentence. */
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

/** An instance of which nothing but its id may be known: `vm-01 (6f1c…)`, or the id. */
export function calledWords({ id, name }: { readonly id: string; readonly name: string | null }): string {
  return name === null ? id : `${name} (${id})`
}
