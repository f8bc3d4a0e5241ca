import type { Coded } from './coded.ts'

type Nothing = Readonly<Record<string, never>>
type Why = { readonly why: string }
/** Whom a message went to; `project` null: it is not known. */
type Owners = { readonly project: string | null; readonly to: readonly string[] }
/** `words`: what came of sending it, as it was journaled. */
type Sending = Owners & { readonly words: string }

/** What the journal of a window tells besides its course, by code. */
export type RemarksSaid = {
  /** In the words of an operator. */
  readonly Noted: { readonly text: string }
  readonly StartAgreed: Nothing
  /** What was agreed to was changed. */
  readonly StartLostByChange: Nothing
  readonly StartTakenBack: Why
  readonly StartedByItself: { readonly machine: string; readonly agreedBy: string; readonly agreedAt: string }
  readonly StartMissed: Why
  readonly OwnersTold: Sending
  readonly OwnersNotTold: Sending
  readonly OwnersMayBeTold: Sending
  /** Nothing was heard of the message after it was begun: it may have been sent. */
  readonly OwnersUnheard: Owners
}

export type RemarkSaid = Coded<RemarksSaid>

/** A remark, or an incident, on a window. */
export type WindowRemark = RemarkSaid & {
  readonly at: string
  readonly kind: 'remark' | 'incident'
  readonly by: string
}
