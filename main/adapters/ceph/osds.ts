import { z } from 'zod'
import type { CephOsd } from '../../../shared/domain/ceph.ts'

/** `ceph osd tree --format json`: buckets and OSDs of the CRUSH map, and those outside of any bucket. */
export const TreeAnswer = z.object({
  // Even a Ceph without a single OSD has a root.
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
        .refine(({ type, children }) => type === 'osd' || children !== undefined, 'a bucket without children'),
    )
    .min(1),
  stray: z.array(z.object({ id: z.number().int() })).optional(),
})

type TreeEntry = z.infer<typeof TreeAnswer>['nodes'][number]

const flagsOf = z.record(z.string(), z.array(z.string())).default({})

/** `ceph osd dump --format json`, as far as OSDs and their flags go. */
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
  /** Flags set by `ceph osd set-group`, by the name of a bucket or device class; before Nautilus there are none. */
  crush_node_flags: flagsOf,
  device_class_flags: flagsOf,
})

const NOOUT = 'noout'

/** Whether both tell of the same OSDs: a tree without an OSD of the map, or the other way round, is not of that map. */
export function isSameMap(tree: z.infer<typeof TreeAnswer>, dump: z.infer<typeof DumpAnswer>): boolean {
  const inTree = new Set(
    [...tree.nodes.filter(({ type }) => type === 'osd'), ...(tree.stray ?? [])].map(({ id }) => id),
  )
  return inTree.size === dump.osds.length && dump.osds.every(({ osd }) => inTree.has(osd))
}

/** Every OSD with its CRUSH host. noout counts wherever it is set: the cluster, a bucket above, its device class, the OSD itself. */
export function cephOsds(tree: z.infer<typeof TreeAnswer>, dump: z.infer<typeof DumpAnswer>): readonly CephOsd[] {
  const entries = new Map(tree.nodes.map(entry => [entry.id, entry]))
  const parents = new Map(tree.nodes.flatMap(entry => (entry.children ?? []).map(child => [child, entry] as const)))
  const above = (id: number) => {
    const buckets: TreeEntry[] = []
    for (let parent = parents.get(id); parent !== undefined; parent = parents.get(parent.id)) {
      // A damaged map could hold a ring.
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
