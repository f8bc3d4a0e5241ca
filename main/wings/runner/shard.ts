import { textSum } from '../../../shared/domain/text-sum.ts'

/** The part of the clouds that a runner looks after; `index` counts from 0. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** Whether a runner looks after a cloud: its name alone decides. The first runner also handles objects that name no cloud (null). */
export function isOfShard(cloud: string | null, { index, of }: Shard): boolean {
  return cloud === null ? index === 0 : textSum(cloud) % of === index
}
