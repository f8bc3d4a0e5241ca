import { z } from 'zod'
import type { CephStatus } from '../../../shared/domain/ceph.ts'

const OsdCounts = z.object({
  epoch: z.number().int().min(1),
  num_osds: z.number(),
  num_up_osds: z.number(),
  num_in_osds: z.number(),
})

/** `ceph status --format json`. */
export const StatusAnswer = z.object({
  health: z.object({
    status: z.string(),
    checks: z
      .record(z.string(), z.object({ summary: z.object({ message: z.string() }), muted: z.boolean().default(false) }))
      .nullable()
      .transform(checks => checks ?? {}),
  }),
  quorum_names: z.array(z.string()),
  /** Since Octopus the count; before, the monitors themselves. */
  monmap: z
    .object({ num_mons: z.number().optional(), mons: z.array(z.unknown()).optional() })
    .transform(({ num_mons, mons }) => num_mons ?? mons?.length)
    .pipe(z.number().int().min(1)),
  /** Up to Nautilus the counts are one level deeper. */
  osdmap: z.union([OsdCounts, z.object({ osdmap: OsdCounts }).transform(outer => outer.osdmap)]),
  pgmap: z.object({
    num_pgs: z.number().int().min(0),
    pgs_by_state: z.array(z.object({ state_name: z.string().min(1), count: z.number().int().min(0) })),
  }),
})

/** `ceph osd dump --format json`, as far as flags go. */
export const FlagsAnswer = z
  .object({ epoch: z.number().int().min(1), flags: z.string(), flags_set: z.array(z.string()).optional() })
  .transform(({ epoch, flags, flags_set }) => ({
    epoch,
    flags: flags_set ?? flags.split(',').filter(flag => flag !== ''),
  }))

const HEALTHS = ['HEALTH_OK', 'HEALTH_WARN', 'HEALTH_ERR'] as const

/** Ceph's state in the console's words. */
export function cephStatus(answer: z.infer<typeof StatusAnswer>, flags: readonly string[]): CephStatus {
  const { health, monmap, osdmap, pgmap, quorum_names } = answer
  return {
    health: HEALTHS.find(known => known === health.status) ?? 'unknown',
    checks: Object.entries(health.checks).map(([code, { summary, muted }]) => ({
      code,
      summary: summary.message,
      muted,
    })),
    monsInQuorum: quorum_names,
    monsTotal: monmap,
    osds: { total: osdmap.num_osds, up: osdmap.num_up_osds, in: osdmap.num_in_osds },
    pgs: {
      total: pgmap.num_pgs,
      byState: Object.fromEntries(pgmap.pgs_by_state.map(({ state_name, count }) => [state_name, count])),
    },
    flags,
  }
}
