import { z } from 'zod'
import type { CephOkToStop } from '../../../shared/domain/ceph.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { CommandOutput } from '../../ports/kubernetes.ts'
import { commandFailure, jsonOf, unreadable, wordsOf } from './read-answer.ts'

/** Since 14.2.22; unsafe answers hold it as well, beside the exit code EBUSY (docs/domain.md C.3). */
const Stats = z.object({
  ok_to_stop: z.boolean(),
  osds: z.array(z.number()),
  num_not_ok_pgs: z.number(),
  unknown_pgs: z.array(z.string()).default([]),
})

const EBUSY = 16

/** Reads `ceph osd ok-to-stop`: JSON where the release knows it, else the exit code and the text. */
export function readOkToStop(output: CommandOutput, asked: readonly number[]): Result<CephOkToStop> {
  const doing = `say whether OSDs ${asked.join(', ')} may be stopped`
  const stats = Stats.safeParse(jsonOf(output.stdout))
  if (stats.success && (output.exitCode === 0 || output.exitCode === EBUSY)) {
    const { ok_to_stop, osds, num_not_ok_pgs, unknown_pgs } = stats.data
    if (!isSameSet(osds, asked)) return failed(unreadable(output, doing, 'about other OSDs than asked for'))
    const atRisk = Math.max(num_not_ok_pgs, unknown_pgs.length)
    const said = wordsOf(output)
    return ok({
      // Both have to agree: an exit code of EBUSY beside "ok" would be a release we do not understand.
      ok: ok_to_stop && output.exitCode === 0,
      osds,
      pgsAtRisk: atRisk,
      message: said !== '' ? said : ok_to_stop ? 'ok to stop' : `${atRisk} PGs are or would become unavailable`,
    })
  }
  if (output.exitCode === EBUSY) return ok({ ok: false, osds: asked, pgsAtRisk: null, message: wordsOf(output) })
  const text = `${output.stdout}\n${output.stderr}`
  const told = /OSD\(s\) ([\d, ]+) are ok to stop without reducing/.exec(text)?.[1]
  if (output.exitCode === 0 && told !== undefined && isSameSet(told.split(',').map(Number), asked)) {
    return ok({ ok: true, osds: asked, pgsAtRisk: 0, message: 'ok to stop' })
  }
  return failed(
    output.exitCode === 0 ? unreadable(output, doing, 'neither JSON nor text') : commandFailure(output, doing),
  )
}

function isSameSet(told: readonly number[], asked: readonly number[]): boolean {
  const all = new Set(asked)
  return new Set(told).size === all.size && told.every(id => all.has(id))
}
