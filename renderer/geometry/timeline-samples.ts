import type { UpdateTimeline } from '../../shared/domain/update.ts'

type Samples = UpdateTimeline['samples']

/**
 * The figures of an update from its run or from observing the cluster, whichever has more. A run does not see instances that the
 * cluster's controllers move.
 */
export function betterSamples(
  run: Pick<UpdateTimeline, 'samples' | 'startedAt' | 'endedAt'>,
  seen: Pick<UpdateTimeline, 'samples'> | null,
): Samples {
  if (seen === null) return run.samples
  const from = run.startedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(run.startedAt)
  const to = run.endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(run.endedAt)
  const during = seen.samples.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= to)
  return known(during) > known(run.samples) ? during : run.samples
}

function known(samples: Samples): number {
  return samples.reduce(
    (sum, { instancesRemaining, migrationsDone, locksInactive }) =>
      sum + [instancesRemaining, migrationsDone, locksInactive].filter(value => value !== null).length,
    0,
  )
}
