import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

const loads: (() => Promise<unknown>)[] = []

/** A screen whose code loads when it is shown, or once the page is idle. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  loads.push(load)
  const Loaded = lazy(async () => ({ default: await load() }))
  return function Later(props: Props): ReactNode {
    return (
      <Suspense fallback={<div className="screen-coming" role="status" aria-label="Loading" />}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

/** Loads the other screens while the page is idle, so that nobody waits for them. */
export function loadLater(): void {
  requestIdleCallback(() => {
    // The screen reports the failure when it is shown, and loads again.
    for (const load of loads) load().catch(() => undefined)
  })
}
