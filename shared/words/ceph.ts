import type { CephNotToStop, CephNotWhole } from '../domain/ceph-safety.ts'

/** `OSD 3`, `OSDs 3, 4`. */
export function osdNames(osds: readonly number[]): string {
  return `${osds.length === 1 ? 'OSD' : 'OSDs'} ${osds.join(', ')}`
}

/** `OSD 3 is`, `OSDs 3, 4 are`: the beginning of a sentence. */
export function osdsAre(osds: readonly number[], of = ''): string {
  return `${osdNames(osds)}${of} ${osds.length === 1 ? 'is' : 'are'}`
}

/** Why Ceph has not recovered: a phrase without a full stop. */
export function notWholeWords({ unclean, groups, osdsUp, osds }: CephNotWhole): string {
  const some = unclean.reduce((sum, each) => sum + each.groups, 0)
  const states = unclean.map(each => `${each.groups} ${each.state}`).join(', ')
  const down = osdsUp < osds ? `; ${osdsUp} of ${osds} OSDs are up` : ''
  return some > 0
    ? `${some} of ${groups} placement groups are not active+clean (${states})${down}`
    : `the state of ${groups} placement groups is unknown${down}`
}

/** Why the OSDs of a node must not stop: a phrase without a full stop. */
export function notToStopWords(why: CephNotToStop): string {
  switch (why.kind) {
    case 'NotWhole':
      return `Ceph has not recovered: ${notWholeWords(why.why)}`
    case 'NotOkToStop':
      return `Ceph does not let OSDs ${why.osds.join(', ')} of ${why.node} stop: ${why.output}`
    case 'NoMonToSpare':
      return `${why.inQuorum.length} of ${why.total} Ceph monitors are in quorum (${why.inQuorum.join(', ')}), so none may stop`
  }
}
