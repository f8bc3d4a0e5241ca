/** Wakes everybody who waits for a change of what is watched. */
export interface Wake {
  /** Resolves at the next change. Take it before looking, so that no change is missed between looking and waiting. */
  next(): Promise<void>
  all(): void
}

export function createWake(): Wake {
  let tell: () => void = () => {}
  let coming = new Promise<void>(resolve => {
    tell = resolve
  })
  return {
    next: () => coming,
    all: () => {
      tell()
      coming = new Promise<void>(resolve => {
        tell = resolve
      })
    },
  }
}
