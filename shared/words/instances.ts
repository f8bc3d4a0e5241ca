import type { InstanceView } from '../domain/cluster-view.ts'
import type { MaintenanceAction } from '../domain/instance-tags.ts'
import { memoryWords } from '../grammar/bytes.ts'
import { listed } from '../grammar/counts.ts'

/** Nova's power states, as it numbers them. */
const POWER: ReadonlyMap<number, string> = new Map([
  [0, 'no power state'],
  [1, 'running'],
  [3, 'paused'],
  [4, 'shut down'],
  [6, 'crashed'],
  [7, 'suspended'],
])

/** `running`, `shut down`; `power not known` where Nova could not tell. */
export function powerWords(powerState: number | null): string {
  if (powerState === null) return 'power not known'
  return POWER.get(powerState) ?? `power state ${powerState}`
}

/** `ACTIVE, migrating`: the status, and what Nova does with it now. */
export function statusWords({ status, taskState }: Pick<InstanceView, 'status' | 'taskState'>): string {
  return taskState === null ? status : `${status}, ${taskState}`
}

/** `4 vCPU, 8 GiB, disk 40 + 10 GiB`. */
export function flavorWords(flavor: InstanceView['flavor']): string {
  if (flavor === null) return '?'
  const { vcpus, ramMib, diskGib, ephemeralGib } = flavor
  const disk = ephemeralGib === 0 ? `${diskGib} GiB` : `${diskGib} + ${ephemeralGib} GiB`
  return `${vcpus} vCPU, ${memoryWords(ramMib)}, disk ${disk}`
}

/** What an instance is marked with, as it is called in a sentence and in a row. */
export function marksWords(marks: readonly MaintenanceAction[]): string {
  return marks.length === 0 ? "host's default" : listed(marks)
}

/** What is odd about an instance, the fact that its host is no node among it. */
export function oddities({ warnings, marks, host, node }: InstanceView): readonly string[] {
  const homeless = host !== null && node === null ? [`its host ${host} is no node of this cluster`] : []
  const several =
    marks.length > 1 && warnings.length === 0 ? [`it carries ${marks.length} marks: ${listed(marks)}`] : []
  return [...warnings, ...several, ...homeless]
}
