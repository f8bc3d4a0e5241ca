import type { Report } from '../../shared/domain/report.ts'
import { MICROCEPH_EXIT_REQUESTED, NOOUT_SET_REQUESTED, NOOUT_UNSET_REQUESTED } from '../../shared/domain/run-facts.ts'
import { factsOf, type Material } from './material.ts'

/** Every time a run asked Ceph to set or remove noout. */
export function buildCephFlags({ runs }: Pick<Material, 'runs'>): Report['cephFlags'] {
  return runs.flatMap(run =>
    factsOf(run).flatMap(({ at, fact, subject }) => {
      const change = CHANGES.get(fact)
      if (change === undefined) return []
      const host = /^ceph-host\/(.+)$/.exec(subject)?.[1]
      return [{ at, runId: run.view.id, what: `noout of ${host ?? 'all of Ceph'}`, ...change }]
    }),
  )
}

const CHANGES: ReadonlyMap<string, { readonly from: string; readonly to: string }> = new Map([
  [NOOUT_SET_REQUESTED, { from: 'not set', to: 'set' }],
  [NOOUT_UNSET_REQUESTED, { from: 'set', to: 'not set' }],
  [MICROCEPH_EXIT_REQUESTED, { from: 'set', to: "not set, by MicroCeph's exit-maintenance" }],
])
