import { textSum } from '../../../shared/domain/text-sum.ts'

/** The part of the clouds that a runner looks after: `index` counts from 0. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** Whether a runner tries for a cloud: each cloud is one runner's, by its name alone. Null: what names no cloud, which is the first's. */
export function isOfShard(cloud: string | null, { index, of }: Shard): boolean {
  return cloud === null ? index === 0 : textSum(cloud) % of === index
}
