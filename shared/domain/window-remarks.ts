import type { Coded } from './coded.ts'

type Nothing = Readonly<Record<string, never>>
type Why = { readonly why: string }
/** `project` null: unknown. */
type Owners = { readonly project: string | null; readonly to: readonly string[] }
/** `words`: the recorded result. */
type Sending = Owners & { readonly words: string }

export type RemarksSaid = {
  readonly Noted: { readonly text: string }
  readonly StartAgreed: Nothing
  readonly StartLostByChange: Nothing
  readonly StartTakenBack: Why
  readonly StartedByItself: { readonly machine: string; readonly agreedBy: string; readonly agreedAt: string }
  readonly StartMissed: Why
  readonly OwnersTold: Sending
  readonly OwnersNotTold: Sending
  readonly OwnersMayBeTold: Sending
  /** No result was recorded: the message may have been sent. */
  readonly OwnersUnheard: Owners
}

export type RemarkSaid = Coded<RemarksSaid>

export type WindowRemark = RemarkSaid & {
  readonly at: string
  readonly kind: 'remark' | 'incident'
  readonly by: string
}
