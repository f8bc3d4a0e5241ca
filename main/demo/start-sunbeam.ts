import type { Clock } from '../clock/clock.ts'
import { type DemoCloud, startDemoCloud } from './demo-cloud.ts'
import { demoSunbeam, type SunbeamVariant } from './scenarios/demo-sunbeam.ts'

/** How demo-sunbeam is to be. */
export type SunbeamOptions = SunbeamVariant

/** demo-sunbeam, and what runs beside it. */
export type SunbeamCloud = DemoCloud

/** Starts demo-sunbeam: both sides of the cloud with Watcher and Ceph. */
export async function startSunbeam(
  { clock, directory, speed }: { readonly clock: Clock; readonly directory: string; readonly speed: number },
  options: SunbeamOptions,
): Promise<SunbeamCloud> {
  return startDemoCloud(demoSunbeam(options), { clock, directory, speed, production: false })
}
