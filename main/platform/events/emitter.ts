/** Passes on what happened, by topic, to those who listen; who emits does not know them. `T`: each topic with its payload. */
export interface Emitter<T> {
  /** Calls every listener of the topic, in the order in which they began to listen. */
  emit<N extends keyof T>(topic: N, payload: T[N]): void
  on<N extends keyof T>(topic: N, listener: (payload: T[N]) => void): () => void
}

/** `onCrash`: a listener threw. The other listeners hear the event all the same, and `emit` returns. */
export function createEmitter<T>(onCrash: (topic: keyof T, error: unknown) => void): Emitter<T> {
  const listeners: { [N in keyof T]?: Set<(payload: T[N]) => void> } = {}
  return {
    emit: (topic, payload) => {
      for (const listener of listeners[topic] ?? []) {
        try {
          listener(payload)
        } catch (error) {
          onCrash(topic, error)
        }
      }
    },
    on: (topic, listener) => {
      const those = listeners[topic] ?? new Set()
      listeners[topic] = those
      those.add(listener)
      return () => those.delete(listener)
    },
  }
}
