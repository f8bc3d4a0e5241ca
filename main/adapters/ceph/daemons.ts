import { z } from 'zod'
import type { CephDaemon, CephOsd, CephServices } from '../../../shared/domain/ceph.ts'

/** `ceph osd tree --format json`: buckets and OSDs of the CRUSH map, and those outside of any bucket. */
export const TreeAnswer = z.object({
  // A Ceph without OSDs still has a root.
  nodes: z
    .array(
      z
        .object({
          id: z.number().int(),
          name: z.string().min(1),
          type: z.string().min(1),
          device_class: z.string().optional(),
          children: z.array(z.number()).optional(),
        })
        .refine(({ type, children }) => type === 'osd' || children !== undefined),
    )
    .min(1),
  stray: z.array(z.object({ id: z.number().int() })).optional(),
})

type TreeEntry = z.infer<typeof TreeAnswer>['nodes'][number]

const flagsOf = z.record(z.string(), z.array(z.string())).default({})

export const DumpAnswer = z.object({
  /** Grows with each change of the map. */
  epoch: z.number().int().min(1),
  flags: z.string(),
  osds: z.array(
    z.object({
      osd: z.number().int().min(0),
      up: z.union([z.literal(0), z.literal(1)]),
      in: z.union([z.literal(0), z.literal(1)]),
      state: z.array(z.string()),
    }),
  ),
  /** Flags set by `ceph osd set-group`, by bucket or device class; absent before Nautilus. */
  crush_node_flags: flagsOf,
  device_class_flags: flagsOf,
})

const NOOUT = 'noout'

/** Whether both answers list the same OSDs; if not, they come from different maps. */
export function isSameMap(tree: z.infer<typeof TreeAnswer>, dump: z.infer<typeof DumpAnswer>): boolean {
  const inTree = new Set(
    [...tree.nodes.filter(({ type }) => type === 'osd'), ...(tree.stray ?? [])].map(({ id }) => id),
  )
  return inTree.size === dump.osds.length && dump.osds.every(({ osd }) => inTree.has(osd))
}

/** Every OSD with its CRUSH host. noout counts if it is set on the cluster, a bucket above, the device class or the OSD. */
export function cephOsds(tree: z.infer<typeof TreeAnswer>, dump: z.infer<typeof DumpAnswer>): readonly CephOsd[] {
  const entries = new Map(tree.nodes.map(entry => [entry.id, entry]))
  const parents = new Map(tree.nodes.flatMap(entry => (entry.children ?? []).map(child => [child, entry] as const)))
  const above = (id: number) => {
    const buckets: TreeEntry[] = []
    for (let parent = parents.get(id); parent !== undefined; parent = parents.get(parent.id)) {
      // A damaged map could contain a cycle.
      if (buckets.includes(parent)) break
      buckets.push(parent)
    }
    return buckets
  }
  const everywhere = dump.flags.split(',').includes(NOOUT)
  return dump.osds.map(({ osd: id, up, in: inside, state }) => {
    const buckets = above(id)
    const host = buckets.find(bucket => bucket.type === 'host')?.name ?? null
    const rack = buckets.find(bucket => bucket.type === 'rack')?.name
    const deviceClass = entries.get(id)?.device_class
    return {
      id,
      host,
      ...(rack === undefined ? {} : { rack }),
      up: up === 1,
      in: inside === 1,
      noout:
        everywhere ||
        state.includes(NOOUT) ||
        buckets.some(bucket => dump.crush_node_flags[bucket.name]?.includes(NOOUT)) ||
        (deviceClass !== undefined && dump.device_class_flags[deviceClass]?.includes(NOOUT) === true),
      hostNoout: host !== null && dump.crush_node_flags[host]?.includes(NOOUT) === true,
    }
  })
}

export const QuorumAnswer = z.object({
  quorum_names: z.array(z.string()),
  monmap: z.object({
    mons: z.array(z.object({ name: z.string().min(1) })).min(1),
    min_mon_release: z.number().optional(),
  }),
})

export const MgrAnswer = z.object({
  // Empty if no manager is active.
  active_name: z.string(),
  standbys: z.array(z.object({ name: z.string().min(1) })),
})

const Mds = z.object({ name: z.string().min(1), state: z.string().min(1) })

export const FsAnswer = z.object({
  filesystems: z.array(z.object({ mdsmap: z.object({ info: z.record(z.string(), Mds) }) })),
  standbys: z.array(Mds),
})

const OnHosts = z.record(z.string(), z.array(z.union([z.string(), z.number()])))

/** `ceph node ls`: daemons by the host they report. A Rook pod reports its node (Ceph `common/util.cc`: NODE_NAME), so both layouts fit. */
export const NodesAnswer = z.object({
  // A monitor answers this request, so there is at least one. Ceph omits kinds without daemons.
  mon: OnHosts.refine(hosts => Object.values(hosts).some(names => names.length > 0), 'no monitor'),
  mgr: OnHosts.default({}),
  mds: OnHosts.default({}),
})

export const NodesOfOsds = z.object({
  mon: NodesAnswer.shape.mon,
  osd: z.record(z.string(), z.array(z.number())).default({}),
})

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

function hostOf(hosts: z.infer<typeof OnHosts>, name: string): string | null {
  const found = Object.entries(hosts).find(([host, names]) => host !== '' && names.map(String).includes(name))
  return found?.[0] ?? null
}
