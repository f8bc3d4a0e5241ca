import type { Json } from '../../domain/json.ts'
import type { FaultText, StepTexts, TextsOf } from './coded.ts'

/** What the steps of every node are. */
export const GENERAL_STEPS = {} satisfies StepTexts

/** What the steps of every node find. */
export const GENERAL_FINDINGS = {
  KnowBeforeGoingOn: () => 'This is to be known before it goes on.',
} satisfies TextsOf<string>

type OfNode = { readonly node: string }

/** Something that could not be read: its code with its values, how it is called, and why it was not. */
type Unread = {
  readonly read: string
  readonly of: { readonly [name: string]: Json }
  readonly what: string
  readonly cause: string
  readonly retryable: boolean
}

const WAIT_FOR_ANSWER = 'Try again when the service answers.'

/** What is in the way of the steps of every node. */
export const GENERAL_FAULTS = {
  NotRead: ({ what, cause, retryable }: Unread) => ({
    message: `${what} could not be read: ${cause}`,
    remedy: retryable ? WAIT_FOR_ANSWER : 'Run `lockkeeper cluster test` to see what is missing.',
    never: 'acting without knowing the state of the cloud is never allowed',
  }),
  NotReadYet: ({ what, cause, retryable }: Unread) => ({
    message: `${what} could not be read: ${cause}`,
    remedy: retryable
      ? WAIT_FOR_ANSWER
      : 'Run `lockkeeper cluster test` to see what is missing, mend it and resume the run.',
  }),
} satisfies TextsOf<FaultText>

/** What the steps of every node read. */
export const GENERAL_READS = {
  Node: ({ node }: OfNode) => `Node ${node}`,
} satisfies TextsOf<string>
