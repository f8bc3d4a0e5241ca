import type { InstanceLook } from './instance-history.ts'
import type { Json } from './json.ts'
import type { Evidence } from './step-answers.ts'

type PlaceRead = Omit<InstanceLook, 'of'> & { readonly id: string }

/** Each instance alone, or in the list of those still on a host. */
export function placesRead({ subject, readAt: at, values }: Evidence): readonly PlaceRead[] {
  const id = idOf(subject)
  if (id !== null) {
    const { now, host, powerState } = values
    if (now === undefined || host === undefined) return []
    return [
      { at, id, host: textOf(host), status: textOf(now), power: typeof powerState === 'number' ? powerState : null },
    ]
  }
  const host = hostIn(subject)
  if (host === null) return []
  return [values.left, values.staying]
    .flatMap(list => (Array.isArray(list) ? list : []))
    .flatMap(each => {
      if (!isRecord(each) || typeof each.id !== 'string' || typeof each.status !== 'string') return []
      return [{ at, id: each.id, host, status: textOf(each.status), power: null }]
    })
}

export function hostRead(evidence: readonly Evidence[]): string | null {
  return evidence.map(({ subject }) => hostIn(subject)).find(host => host !== null) ?? null
}

/** The host in `instances on cmp-1` or `nova-compute on cmp-1`. */
function hostIn(subject: string): string | null {
  return /^(?:instances|nova-compute) on (.+)$/.exec(subject)?.[1] ?? null
}

/** The id in `server/<id>` or `server/<id> (name)`. */
function idOf(subject: string): string | null {
  return /^server\/([^ ]+)/.exec(subject)?.[1] ?? null
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
