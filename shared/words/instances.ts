import type { InstanceView } from '../domain/cluster-view.ts'
import type { MaintenanceAction } from '../domain/instance-tags.ts'
import { powerStateOf } from '../domain/power-state.ts'
import { memoryWords } from '../grammar/bytes.ts'
import { listed } from '../grammar/counts.ts'
import { durationWords } from '../grammar/durations.ts'

const POWER_WORDS: ReadonlyMap<string, string> = new Map([
  ['NoState', 'no power state'],
  ['Running', 'running'],
  ['Paused', 'paused'],
  ['Shutdown', 'shut down'],
  ['Crashed', 'crashed'],
  ['Suspended', 'suspended'],
])

/** `running`, `shut down`; `power unknown` if Nova could not report it. */
export function powerWords(powerState: number | null): string {
  const state = powerStateOf(powerState)
  return state === null ? 'power unknown' : (POWER_WORDS.get(state) ?? `power state ${state}`)
}

/** `ACTIVE, migrating`: the status, and the task of Nova. */
export function statusWords({ status, taskState }: Pick<InstanceView, 'status' | 'taskState'>): string {
  return taskState === null ? status : `${status}, ${taskState}`
}

/** `4 vCPU, 8 GiB, disk 40 + 10 GiB` */
export function flavorWords(flavor: InstanceView['flavor']): string {
  if (flavor === null) return '?'
  const { vcpus, ramMib, diskGib, ephemeralGib } = flavor
  const disk = ephemeralGib === 0 ? `${diskGib} GiB` : `${diskGib} + ${ephemeralGib} GiB`
  return `${vcpus} vCPU, ${memoryWords(ramMib)}, disk ${disk}`
}

/** The marks of an instance, for a sentence or a row. */
export function marksWords(marks: readonly MaintenanceAction[]): string {
  return marks.length === 0 ? "node's default" : listed(marks)
}

/** Oddities of an instance, such as a host that is not a node. */
export function oddities({ warnings, marks, host, node }: InstanceView): readonly string[] {
  const homeless = host !== null && node === null ? [`its host ${host} is not a node of this cloud`] : []
  const several = marks.length > 1 && warnings.length === 0 ? [`it has ${marks.length} marks: ${listed(marks)}`] : []
  return [...warnings, ...several, ...homeless]
}

/** A move that is under way and takes longer than usual: `longer than usual (usual 40 s)`. */
export function slowWords({ usualMs }: { readonly usualMs: number }): string {
  return `longer than usual (usual ${durationWords(usualMs)})`
}
