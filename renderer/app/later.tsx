import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

const loads: (() => Promise<unknown>)[] = []

/** A screen that the first picture does without: its code comes when it is shown, or once the page has nothing else to do. */
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

/** Fetches what comes later while nothing else is to be done, so that no screen is waited for. */
export function loadLater(): void {
  requestIdleCallback(() => {
    // A failure is told where the screen is shown, which asks again.
    for (const load of loads) load().catch(() => undefined)
  })
}
