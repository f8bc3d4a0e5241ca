import { type EmptinessReading, returnOf } from '../../../shared/domain/node-verdict.ts'
import type { Instance, Migration } from '../../../shared/domain/openstack.ts'

/** The newest migration of each instance that Nova moves, or whose move can still be reverted. */
export class OpenMoves {
  private readonly records = new Map<string, { readonly state: string; readonly migration: Migration | null }>()

  get isEmpty(): boolean {
    return this.records.size === 0
  }

  /** Instances with an open move whose current migration was not read. */
  unread(instances: Iterable<Instance>): readonly string[] {
    return [...instances]
      .filter(instance => isOpenMove(instance) && this.records.get(instance.id)?.state !== moveState(instance))
      .map(({ id }) => id)
  }

  /** Moves whose record has no destination yet: they are read again. */
  withoutDestination(): readonly string[] {
    return [...this.records].flatMap(([id, { migration }]) => (migration?.destHost === null ? [id] : []))
  }

  put(instance: Instance, migration: Migration | null): void {
    this.records.set(instance.id, { state: moveState(instance), migration })
  }

  /** Forgets the move of an instance: its next one is another, even if it looks the same. Returns the hosts of the forgotten one. */
  forget(id: string): readonly string[] {
    const move = this.records.get(id)
    this.records.delete(id)
    return move === undefined ? [] : hostsOf(move.migration)
  }

  returningTo(host: string, instances: ReadonlyMap<string, Instance>): EmptinessReading['returning'] {
    return [...this.records].flatMap(([id, { migration }]) => {
      const instance = instances.get(id)
      if (instance === undefined || migration === null || instance.host === host || !isOpenMove(instance)) return []
      const code = returnOf(migration, instance, host)
      return code === null ? [] : [{ instance, code }]
    })
  }
}

export function hostsOf(migration: Migration | null): readonly string[] {
  return [migration?.sourceHost, migration?.destHost].flatMap(host => host ?? [])
}

/** Whether Nova moves an instance, or can still revert its move. */
export function isOpenMove({ vmState, taskState }: Instance): boolean {
  if (vmState === 'resized' || taskState === 'migrating') return true
  // An evacuation rebuilds it on another host, and Nova names the old host only during the evacuation.
  return taskState?.startsWith('resize_') === true || taskState?.startsWith('rebuild') === true
}

function moveState({ vmState, taskState, host }: Instance): string {
  return [vmState, taskState, host].join('/')
}
