import type { ObjectStore } from '../store/object-store.ts'

/** Moves the cluster one pass closer to its specs; safe to call at any time. */
export type Reconcile = () => void

/** Skips a reconciler while these types are unchanged since its last pass (the store lists the same array). Only for one that does not depend on the time. */
export function whenChanged(store: ObjectStore, storeKeys: readonly string[], reconcile: Reconcile): Reconcile {
  let seen: readonly unknown[] = []
  return () => {
    const found = storeKeys.map(storeKey => store.list(storeKey, null))
    if (found.every((list, index) => list === seen[index])) return
    seen = found
    reconcile()
  }
}

/** Runs the controllers after every change. They are level-triggered as in Kubernetes: each reads the whole state. */
interface ControlLoop {
  /** Requests a pass soon; several requests become one pass. */
  wake(): void
  settle(): void
  stop(): void
}

const MAX_ROUNDS = 1000
/** No controller reads these types, and nodes and consoles write them all the time. */
const UNSEEN: ReadonlySet<string> = new Set(['leases.coordination.k8s.io', 'events'])

export function startControlLoop(store: ObjectStore, controllers: readonly Reconcile[]): ControlLoop {
  let planned: NodeJS.Immediate | null = null
  let stopped = false

  function pass(): void {
    for (const reconcile of controllers) reconcile()
  }

  const loop: ControlLoop = {
    wake() {
      if (stopped || planned !== null) return
      planned = setImmediate(() => {
        planned = null
        pass()
      })
    },
    settle() {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const before = store.revision()
        pass()
        if (store.revision() === before) return
      }
      throw new Error('The simulated controllers do not come to rest: two of them undo each other')
    },
    stop() {
      stopped = true
      if (planned !== null) clearImmediate(planned)
    },
  }
  store.onChange(({ storeKey }) => {
    if (!UNSEEN.has(storeKey)) loop.wake()
  })
  return loop
}
