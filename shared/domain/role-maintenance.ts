import { z } from 'zod'

/** `toolbox`: exec in Rook's toolbox pod; `microceph`: Juju on a MicroCeph unit. */
export const CephAccess = z.enum(['toolbox', 'microceph', 'none'])
export type CephAccess = z.infer<typeof CephAccess>

/** What empties a compute node: Watcher by an action plan, or Lockkeeper through Nova. */
export const ComputeStrategy = z.enum(['watcher', 'nova'])
export type ComputeStrategy = z.infer<typeof ComputeStrategy>

/**
 * How many services of Ceph must stay (docs/domain.md C.1). `fixed`: 3 mons, 1 mds, 1 mgr; `majority`: more than half of all mons; `by-version`: by
 * Ceph's release.
 */
export const CephServicesRule = z.enum(['by-version', 'fixed', 'majority'])
export type CephServicesRule = z.infer<typeof CephServicesRule>

/** Names and paths, never secrets: the password stays in its file. */
export const JujuAccess = z.discriminatedUnion('kind', [
  /** The Juju client's own files (`controllers.yaml`, `accounts.yaml`), as in ~/.local/share/juju. */
  z.strictObject({
    kind: z.literal('client-files'),
    directory: z.string().min(1),
    controller: z.string().min(1),
    model: z.string().min(1),
  }),
  z.strictObject({
    kind: z.literal('typed'),
    endpoints: z.array(z.string().min(1)).min(1),
    /** PEM of the controller's own authority. */
    caCertificate: z.string().min(1),
    user: z.string().min(1),
    /** An absolute path; the file has only the password. */
    passwordFile: z.string().min(1),
    model: z.string().min(1),
  }),
])
export type JujuAccess = z.infer<typeof JujuAccess>

/** How a cluster's roles go into maintenance; null means the flavour's default. */
export const RoleMaintenanceSettings = z.strictObject({
  strategy: ComputeStrategy.nullable(),
  ceph: CephAccess.nullable(),
  cephServicesRule: CephServicesRule.nullable(),
  /** Null if there is no known Juju controller. */
  juju: JujuAccess.nullable(),
})
export type RoleMaintenanceSettings = z.infer<typeof RoleMaintenanceSettings>

export const DEFAULT_ROLE_MAINTENANCE: RoleMaintenanceSettings = {
  strategy: null,
  ceph: null,
  cephServicesRule: null,
  juju: null,
}
