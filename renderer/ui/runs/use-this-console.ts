import type { RunDriver } from '../../../shared/domain/run.ts'
import { useConsole } from '../../stores/console.ts'

/** Whether the process behind this page drives a run; null before it told who it is. */
export function useThisConsole({ id }: RunDriver): boolean | null {
  return useConsole(({ description }) => (description === null ? null : description.driverId === id))
}
