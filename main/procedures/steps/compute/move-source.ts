import type { ChosenPolicy } from '../../../../shared/domain/chosen-policy.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { WordedPolicy } from '../../../../shared/words/instance-policies.ts'
import type { HostWatch } from './host-watch.ts'
import type { Why } from './why.ts'

/** The result of one attempt to move or stop an instance. */
export type MoveAnswer =
  | { readonly kind: 'moved' }
  /** It needs nothing more: gone, moved by someone else, stopped, or its owner changed the policy. */
  | { readonly kind: 'settled' }
  /** This attempt failed; another is allowed. */
  | { readonly kind: 'again'; readonly why: Why }
  /** The failure is transient and retries did not help: another attempt now would fail too. */
  | { readonly kind: 'in-vain'; readonly why: Why }
  /** No attempt can succeed: a rule forbids it, or the cloud does not answer. */
  | { readonly kind: 'hopeless'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

/** An instance's source and destination, its policy, and the migrations known when the step began. */
export interface MoveSource {
  readonly host: string
  /** The required destination; null: Nova's scheduler chooses. */
  readonly to: string | null
  /** The policy for an instance as it is now. */
  readonly policyOf: (now: Instance) => MovePolicy
  /** The highest known migration id of each instance: a higher one proves that a request arrived. */
  readonly knownMigrationIds: Map<string, number>
  /** The looks at the host, shared by all who follow an instance of it. */
  readonly watch: HostWatch
}

/** What to do with one instance, and why. */
export type MovePolicy = Pick<WordedPolicy<ChosenPolicy>, 'action' | 'code' | 'reason'>
