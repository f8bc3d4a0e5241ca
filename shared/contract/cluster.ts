import { z } from 'zod'
import {
  CloudSource,
  Cluster,
  ClusterChange,
  ClusterColour,
  ClusterFlavour,
  ClusterLimits,
  KubeconfigSource,
  SessionWarning,
} from '../domain/cluster.ts'
import { CODED } from '../domain/coded.ts'
import { Failure } from '../domain/failure.ts'
import { Json } from '../domain/json.ts'
import { MaintenanceApiSettings } from '../domain/maintenance-api.ts'
import { RoleMaintenanceSettings } from '../domain/role-maintenance.ts'
import { RoleLabelRules } from '../domain/roles.ts'

/** A command that a kubeconfig runs for credentials; the operator reads it in full before its first run. */
export const ExecPlugin = z.strictObject({
  /** What the operator approves: exactly this command, with these arguments, from this file. */
  fingerprint: z.string(),
  file: z.string(),
  user: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  /** Their values may be secret and stay here. */
  envNames: z.array(z.string()),
  consented: z.boolean(),
})
export type ExecPlugin = z.infer<typeof ExecPlugin>

export const ClusterTestItem = z.strictObject({
  area: z.enum(['kubernetes', 'openstack', 'juju', 'clock', 'permissions']),
  name: z.string(),
  outcome: z.enum(['ok', 'warning', 'missing', 'failed', 'skipped']),
  message: z.string(),
  ...CODED,
  remedy: z.string().nullable(),
  remedyCode: z.string().optional(),
  remedyValues: z.record(z.string(), Json).optional(),
})
export type ClusterTestItem = z.infer<typeof ClusterTestItem>

export const ClusterTestReport = z.strictObject({
  cluster: z.string(),
  testedAt: z.string(),
  ok: z.boolean(),
  items: z.array(ClusterTestItem),
  /** The RBAC manifest that grants what is missing; null if nothing is. */
  missingRbac: z.string().nullable(),
})
export type ClusterTestReport = z.infer<typeof ClusterTestReport>

export const ContextOffer = z.strictObject({
  name: z.string(),
  current: z.boolean(),
  cluster: z.string(),
  /** Null if the API server's address is unusable. */
  host: z.string().nullable(),
  user: z.string().nullable(),
  credentials: z.string(),
  execPlugin: ExecPlugin.nullable(),
  file: z.string(),
})
export type ContextOffer = z.infer<typeof ContextOffer>

export const CloudOffer = z.strictObject({
  name: z.string(),
  host: z.string().nullable(),
  user: z.string().nullable(),
  project: z.string().nullable(),
  region: z.string().nullable(),
  problem: z.string().nullable(),
  ...CODED,
})
export type CloudOffer = z.infer<typeof CloudOffer>

export const FoundCluster = z.strictObject({
  paths: z.array(z.string()).min(1),
  context: ContextOffer,
  /** A guess with its reason: the same name, host or domain, or the only candidates. Null if the operator chooses. */
  cloud: z
    .strictObject({
      path: z.string(),
      cloud: z.string(),
      host: z.string().nullable(),
      because: z.enum(['name', 'host', 'domain', 'only']),
    })
    .nullable(),
  registered: z.string().nullable(),
})
export type FoundCluster = z.infer<typeof FoundCluster>

export const ForeignEndpoint = z.strictObject({
  service: z.string(),
  origin: z.string(),
  keystone: z.string(),
  agreed: z.boolean(),
})
export type ForeignEndpoint = z.infer<typeof ForeignEndpoint>

export const clusterRequests = {
  'cluster.list': { effect: 'read', input: z.strictObject({}), output: z.array(Cluster) },
  'cluster.add': {
    effect: 'write',
    input: z.strictObject({
      name: Cluster.shape.name,
      flavour: ClusterFlavour,
      kubeconfig: z.strictObject({
        /** Empty means KUBECONFIG, else ~/.kube/config, as kubectl does. */
        paths: KubeconfigSource.shape.paths.or(z.array(z.string()).max(0)),
        /** Null means the current context of those files, fixed now. */
        context: z.string().nullable(),
      }),
      cloud: z.strictObject({ path: CloudSource.shape.path.nullable(), cloud: z.string() }).nullable(),
      roleLabels: RoleLabelRules.partial().optional(),
      limits: ClusterLimits.partial().optional(),
      openstackNamespace: z.string().optional(),
      leaseNamespace: z.string().optional(),
      production: z.boolean().optional(),
      colour: ClusterColour.nullable().optional(),
      maintenanceApi: MaintenanceApiSettings.partial().optional(),
      roleMaintenance: RoleMaintenanceSettings.partial().optional(),
    }),
    output: Cluster,
  },
  /** Refused if it changes how the cluster is reached while a run of this console works on it. */
  'cluster.update': {
    effect: 'journaled',
    input: z.strictObject({ name: z.string(), change: ClusterChange }),
    output: Cluster,
  },
  'cluster.remove': { effect: 'write', input: z.strictObject({ name: z.string() }), output: z.strictObject({}) },
  'cluster.exec-plugin': { effect: 'read', input: z.strictObject({ name: z.string() }), output: ExecPlugin.nullable() },
  'cluster.consent': {
    effect: 'write',
    input: z.strictObject({ name: z.string(), fingerprint: z.string() }),
    output: z.strictObject({}),
  },
  /** Addresses in the catalogue on another host than Keystone, or less safe: a token goes there only with approval. */
  'cluster.endpoints': {
    effect: 'read',
    input: z.strictObject({ name: z.string() }),
    output: z.array(ForeignEndpoint),
  },
  'cluster.agree-to-endpoints': {
    effect: 'write',
    input: z.strictObject({ name: z.string(), endpoints: z.array(ForeignEndpoint.omit({ agreed: true })).min(1) }),
    output: z.strictObject({}),
  },
  /** Without secrets, and without running anything. Empty paths: those that kubectl would read. */
  'kubeconfig.inspect': {
    effect: 'read',
    input: z.strictObject({ paths: z.array(z.string()) }),
    output: z.strictObject({ paths: z.array(z.string()), contexts: z.array(ContextOffer) }),
  },
  /** Null path: the file that the OpenStack client would read. */
  'clouds.inspect': {
    effect: 'read',
    input: z.strictObject({ path: z.string().nullable() }),
    output: z.strictObject({ path: z.string(), clouds: z.array(CloudOffer) }),
  },
  /** Null files: the usual places, with every kubeconfig in ~/.kube. Only reads files. */
  'cluster.found': {
    effect: 'read',
    input: z.strictObject({ files: z.array(z.string()).min(1).nullable() }),
    output: z.strictObject({
      clusters: z.array(FoundCluster),
      unread: z.array(z.strictObject({ path: z.string(), why: z.string(), ...CODED })),
    }),
  },
  'exec-plugin.consent': {
    effect: 'write',
    input: z.strictObject({ paths: z.array(z.string()).min(1), context: z.string(), fingerprint: z.string() }),
    output: z.strictObject({}),
  },
  'cluster.try': {
    effect: 'read',
    input: z.strictObject({
      kubeconfig: KubeconfigSource,
      cloud: CloudSource.nullable(),
      leaseNamespace: z.string().optional(),
    }),
    output: ClusterTestReport,
  },
  'cluster.test': { effect: 'read', input: z.strictObject({ name: z.string() }), output: ClusterTestReport },
  'cluster.connect': {
    effect: 'read',
    input: z.strictObject({ name: z.string() }),
    output: z.strictObject({
      warnings: z.array(SessionWarning),
      openstack: z.union([z.literal('ok'), z.literal('none'), Failure]),
    }),
  },
} as const

export const clusterEvents = {
  'cluster.changed': z.strictObject({}),
} as const
