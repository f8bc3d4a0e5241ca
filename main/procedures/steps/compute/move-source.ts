import type { ChosenPolicy } from '../../../../shared/domain/chosen-policy.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { WordedPolicy } from '../../../../shared/words/instance-policies.ts'
import type { HostWatch } from './host-watch.ts'
import type { Why } from './why.ts'

export type MoveAnswer =
  | { readonly kind: 'moved' }
  /** It is gone, stopped, moved by someone else, or its owner changed the policy. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'again'; readonly why: Why }
  /** A transient failure that retries did not end: another attempt now would fail too. */
  | { readonly kind: 'in-vain'; readonly why: Why }
  | { readonly kind: 'hopeless'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

/** An instance's source and destination, its policy, and the migrations known when the step began. */
export interface MoveSource {
  readonly host: string
  /** Null if Nova's scheduler chooses. */
  readonly to: string | null
  readonly policyOf: (now: Instance) => MovePolicy
  /** For each instance: a record with a higher id proves that a request arrived. */
  readonly knownMigrationIds: Map<string, number>
  readonly watch: HostWatch
}

export type MovePolicy = Pick<WordedPolicy<ChosenPolicy>, 'action' | 'code' | 'reason'>
