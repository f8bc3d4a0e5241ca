import type { StageSpan } from '../../../shared/domain/update.ts'

/** Whether a node is in this stage now, and something is done or waited for in it. */
export function isActive({ stage, toAt }: Pick<StageSpan, 'stage' | 'toAt'>): boolean {
  return toAt === null && stage !== 'pending' && stage !== 'done' && stage !== 'skipped'
}
