import type { ShownAction } from '../../../../shared/domain/instance-policy.ts'
import type { Effect } from '../../../../shared/domain/plan.ts'

type InstanceEffect = Extract<Effect, { kind: 'instance' }>

/** What a maintenance does to an instance, or that it moves already, in the words of the seeds' migration modes (domain.md A.5). */
export function actionText(action: InstanceEffect['action'] | ShownAction): string {
  switch (action) {
    case 'live_migrate':
      return 'live-migrate'
    case 'migrating':
      return 'migrating'
    case 'cold_migrate':
      return 'cold-migrate'
    case 'evacuate':
      return 'evacuate'
    case 'stop':
      return 'is stopped'
    case 'poweroff':
      return 'goes down'
    case 'notify':
      return 'owner acts'
    case 'ignore':
      return 'stays'
    case 'blocked':
      return 'blocked'
  }
}

/** Where that comes from. */
export function sourceText(source: InstanceEffect['source']): string {
  switch (source) {
    case 'tag':
      return "instance's tag"
    case 'host-mode':
      return "host's mode"
    case 'state':
      return 'its state'
    case 'watcher':
      return "Watcher's plan"
    case 'operator':
      return 'the operator'
  }
}

/** What a drain does to a pod. */
export function fateText(fate: 'evict' | 'delete' | 'keep' | 'block'): string {
  switch (fate) {
    case 'evict':
      return 'evict'
    case 'delete':
      return 'delete'
    case 'keep':
      return 'stays'
    case 'block':
      return 'blocks'
  }
}
