import type { ObjectStore } from '../store/object-store.ts'

/** Brings one part of the world closer to what the objects ask for; safe to call at any time. */
export type Reconcile = () => void

/**
 * A reconciler that rests while the objects of the types it looks at are as they were when it last began; the store lists the same array until
 * then. Only for one that decides by these objects alone, not by the time.
 */
export function whenChanged(store: ObjectStore, storeKeys: readonly string[], reconcile: Reconcile): Reconcile {
  let seen: readonly unknown[] = []
  return () => {
    const found = storeKeys.map(storeKey => store.list(storeKey, null))
    if (found.every((list, index) => list === seen[index])) return
    seen = found
    reconcile()
  }
}

/** Runs the controllers after every change, level-triggered as in Kubernetes: each looks at the whole state. */
interface ControlLoop {
  /** Asks for a pass soon; many wishes become one. */
  wake(): void
  /** Runs passes now until nothing changes any more. */
  settle(): void
  stop(): void
}

const MAX_ROUNDS = 1000
/** What no controller looks at: nodes and consoles write it all the time. */
const UNSEEN: ReadonlySet<string> = new Set(['leases.coordination.k8s.io', 'events'])

/** Starts the loop over a store. */
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
