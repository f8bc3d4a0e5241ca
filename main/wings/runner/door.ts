import type { startRunner as start } from './process/run-runner.ts'

export { openOtherDrivers } from './attach/open-other-drivers.ts'
export { embeddedRunner } from './manifests/embedded-runner.ts'

/** Starts a runner in this process. What it is made of is loaded only now: no other start needs it. */
export async function startRunner(...given: Parameters<typeof start>): ReturnType<typeof start> {
  return (await import('./process/run-runner.ts')).startRunner(...given)
}
