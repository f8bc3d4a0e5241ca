import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

const loads: (() => Promise<unknown>)[] = []

const COMING = <div className="screen-coming" role="status" aria-label="Loading" />

/** A screen, or a part of the frame around it, whose code loads when it is shown, or once the page is idle. `coming`: what is in its place until then. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  coming: ReactNode = COMING,
): ComponentType<Props> {
  loads.push(load)
  const Loaded = lazy(async () => ({ default: await load() }))
  return function Later(props: Props): ReactNode {
    return (
      <Suspense fallback={coming}>
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
