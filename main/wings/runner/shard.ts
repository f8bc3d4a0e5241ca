import { textSum } from '../../../shared/domain/text-sum.ts'

/** The share of the clouds that one runner manages; `index` counts from 0. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** Whether a runner manages a cloud: its name alone decides. The first runner also handles objects that name no cloud (null). */
export function isOfShard(cloud: string | null, { index, of }: Shard): boolean {
  return cloud === null ? index === 0 : textSum(cloud) % of === index
}
