import type { InstanceView } from '../domain/cluster-view.ts'
import type { MaintenanceAction } from '../domain/instance-tags.ts'
import { powerStateOf } from '../domain/power-state.ts'
import { memoryWords } from '../grammar/bytes.ts'
import { listed } from '../grammar/counts.ts'
import { durationWords } from '../grammar/durations.ts'
import { MARK_WORDS } from './actions.ts'

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

/** `8 vCPU · 16 GiB`, where a row has little room. */
export function sizeWords({ vcpus, ramMib }: { readonly vcpus: number; readonly ramMib: number }): string {
  return `${vcpus} vCPU · ${memoryWords(ramMib)}`
}

/** `4 vCPU, 8 GiB, disk 40 + 10 GiB` */
export function flavorWords(flavor: InstanceView['flavor']): string {
  if (flavor === null) return '?'
  const { vcpus, ramMib, diskGib, ephemeralGib } = flavor
  const disk = ephemeralGib === 0 ? `${diskGib} GiB` : `${diskGib} + ${ephemeralGib} GiB`
  return `${vcpus} vCPU, ${memoryWords(ramMib)}, disk ${disk}`
}

/** The modes of an instance, for a sentence: `“Move live”`. */
export function marksWords(marks: readonly MaintenanceAction[]): string {
  return marks.length === 0 ? "its node's mode" : listed(marks.map(mark => `“${MARK_WORDS[mark]}”`))
}

/** Oddities of an instance, such as a host that is not a node. */
export function oddities({ warnings, marks, host, node }: InstanceView): readonly string[] {
  const homeless = host !== null && node === null ? [`its host ${host} is not a node of this cloud`] : []
  const several =
    marks.length > 1 && warnings.length === 0
      ? [`it has ${marks.length} modes, so none counts: ${marksWords(marks)}`]
      : []
  return [...warnings, ...several, ...homeless]
}

/** A move that is under way and takes longer than usual: `longer than usual (usual 40 s)`. */
export function slowWords({ usualMs }: { readonly usualMs: number }): string {
  return `longer than usual (usual ${durationWords(usualMs)})`
}
