import { z } from 'zod'
import type { CephDaemon, CephServices } from '../../../shared/domain/ceph.ts'

/** `ceph quorum_status`: who votes, and the release every monitor has at least. */
export const QuorumAnswer = z.object({
  quorum_names: z.array(z.string()),
  monmap: z.object({
    mons: z.array(z.object({ name: z.string().min(1) })).min(1),
    min_mon_release: z.number().optional(),
  }),
})

/** `ceph mgr dump`: the one that works, and those that wait. */
export const MgrAnswer = z.object({
  // Empty while none works.
  active_name: z.string(),
  standbys: z.array(z.object({ name: z.string().min(1) })),
})

const Mds = z.object({ name: z.string().min(1), state: z.string().min(1) })

/** `ceph fs dump`: the metadata servers of every file system, and those that wait. */
export const FsAnswer = z.object({
  filesystems: z.array(z.object({ mdsmap: z.object({ info: z.record(z.string(), Mds) }) })),
  standbys: z.array(Mds),
})

const OnHosts = z.record(z.string(), z.array(z.union([z.string(), z.number()])))

/**
 * `ceph node ls`: daemons by the host they report. In a pod of Rook that is the node, not the pod (Ceph `common/util.cc`: NODE_NAME), so this
 * is true for both.
 */
export const NodesAnswer = z.object({
  // There is always a monitor: it answers. A kind of which there is none is left out.
  mon: OnHosts.refine(hosts => Object.values(hosts).some(names => names.length > 0), 'no monitor'),
  mgr: OnHosts.default({}),
  mds: OnHosts.default({}),
})

/** The same, for OSDs. */
export const NodesOfOsds = z.object({
  mon: NodesAnswer.shape.mon,
  osd: z.record(z.string(), z.array(z.number())).default({}),
})

/** What the four answers say together. */
export function cephServices(answers: {
  readonly quorum: z.infer<typeof QuorumAnswer>
  readonly mgr: z.infer<typeof MgrAnswer>
  readonly fs: z.infer<typeof FsAnswer>
  readonly nodes: z.infer<typeof NodesAnswer>
}): CephServices {
  const { quorum, mgr, fs, nodes } = answers
  const daemon = (kind: CephDaemon['kind'], name: string, active: boolean): CephDaemon => ({
    kind,
    name,
    node: hostOf(nodes[kind], name),
    active,
  })
  const metadata = fs.filesystems.flatMap(({ mdsmap }) => Object.values(mdsmap.info))
  return {
    release: quorum.monmap.min_mon_release ?? null,
    monsTotal: quorum.monmap.mons.length,
    filesystems: fs.filesystems.length,
    daemons: [
      ...quorum.monmap.mons.map(({ name }) => daemon('mon', name, quorum.quorum_names.includes(name))),
      ...(mgr.active_name === '' ? [] : [daemon('mgr', mgr.active_name, true)]),
      ...mgr.standbys.map(({ name }) => daemon('mgr', name, false)),
      ...metadata.map(({ name, state }) => daemon('mds', name, state === 'up:active')),
      ...fs.standbys.map(({ name }) => daemon('mds', name, false)),
    ],
  }
}

/** Null when it is under no host, or under one without a name. */
function hostOf(hosts: z.infer<typeof OnHosts>, name: string): string | null {
  const found = Object.entries(hosts).find(([host, names]) => host !== '' && names.map(String).includes(name))
  return found?.[0] ?? null
}
