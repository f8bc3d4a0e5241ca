import { must } from '../../shared/domain/must.ts'

/** The middle one; of an even number the upper of the two. */
export function median(values: readonly number[]): number {
  return must(
    [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)],
    'a median is of at least one value',
  )
}
