import type { BatchTarget } from './batch-board.ts'

/** How a place is written on its element. */
export function placeName(target: BatchTarget): string {
  switch (target.kind) {
    case 'batch':
      return `batch ${target.at}`
    case 'new':
      return `new ${target.before}`
    case 'out':
      return 'out'
  }
}

/** The place that was written so; null for anything else. */
export function targetOf(place: string | null): BatchTarget | null {
  const [kind, number] = (place ?? '').split(' ')
  if (kind === 'out') return { kind: 'out' }
  const at = Number(number)
  if (number === undefined || !Number.isInteger(at)) return null
  if (kind === 'batch') return { kind, at }
  return kind === 'new' ? { kind, before: at } : null
}
