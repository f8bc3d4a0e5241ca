import { must } from '../../shared/domain/must.ts'

/** The middle value; the upper one of the two in an even number of values. */
export function median(values: readonly number[]): number {
  return must(
    [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)],
    'a median needs at least one value',
  )
}
