import type { ChosenPolicy } from '../../../../shared/domain/chosen-policy.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { WordedPolicy } from '../../../../shared/words/instance-policies.ts'
import type { HostWatch } from './host-watch.ts'
import type { Why } from './why.ts'

/** What one attempt to move an instance, or to stop it, came to. */
export type MoveAnswer =
  | { readonly kind: 'moved' }
  /** It needs nothing any more: gone, moved by somebody else, stopped, or decided otherwise by its owner. */
  | { readonly kind: 'settled' }
  /** This attempt failed; another may be made. */
  | { readonly kind: 'again'; readonly why: Why }
  /** The reason may pass by itself, and was waited out in vain: another attempt at once would be one more in vain. */
  | { readonly kind: 'in-vain'; readonly why: Why }
  /** No attempt can succeed: a rule forbids it, or the world cannot be asked. */
  | { readonly kind: 'hopeless'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

/** Where an instance is moved from and to, what is to be done to it, and what was known of its migrations when the step began. */
export interface MoveSource {
  readonly host: string
  /** Where it has to go; null: Nova's scheduler chooses. */
  readonly to: string | null
  /** What is to be done to an instance as it is now. */
  readonly policyOf: (now: Instance) => MovePolicy
  /** The highest migration id seen so far, by instance: what tells a request that arrived from one that never did. */
  readonly knownMigrationIds: Map<string, number>
  /** The looks at the host, which all who follow an instance of it share. */
  readonly watch: HostWatch
}

/** What is to be done to one instance, and why. */
export type MovePolicy = Pick<WordedPolicy<ChosenPolicy>, 'action' | 'code' | 'reason'>
