import { z } from 'zod'
import {
  CloudSource,
  Cluster,
  ClusterFlavour,
  ClusterLimits,
  KubeconfigSource,
  SessionWarning,
} from '../domain/cluster.ts'
import { Failure } from '../domain/failure.ts'
import { RoleLabelRules } from '../domain/roles.ts'

/** A command that a kubeconfig asks to run for credentials; shown in full before it is run the first time. */
export const ExecPlugin = z.strictObject({
  /** Identifies exactly this command with these arguments from this file; what the operator agrees to. */
  fingerprint: z.string(),
  file: z.string(),
  user: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  /** Names of environment variables it sets; values may be secret and stay here. */
  envNames: z.array(z.string()),
  consented: z.boolean(),
})
export type ExecPlugin = z.infer<typeof ExecPlugin>

/** One answer of `cluster test`. */
export const ClusterTestItem = z.strictObject({
  area: z.enum(['kubernetes', 'openstack', 'clock', 'permissions']),
  name: z.string(),
  outcome: z.enum(['ok', 'warning', 'missing', 'failed', 'skipped']),
  message: z.string(),
  remedy: z.string().nullable(),
})
export type ClusterTestItem = z.infer<typeof ClusterTestItem>

export const ClusterTestReport = z.strictObject({
  cluster: z.string(),
  testedAt: z.string(),
  ok: z.boolean(),
  items: z.array(ClusterTestItem),
  /** RBAC manifest that would grant what is missing; null when nothing is. */
  missingRbac: z.string().nullable(),
})
export type ClusterTestReport = z.infer<typeof ClusterTestReport>

export const clusterRequests = {
  'cluster.list': { input: z.strictObject({}), output: z.array(Cluster) },
  'cluster.add': {
    input: z.strictObject({
      name: Cluster.shape.name,
      flavour: ClusterFlavour,
      kubeconfig: z.strictObject({
        /** Empty: KUBECONFIG, else ~/.kube/config, as kubectl does. */
        paths: KubeconfigSource.shape.paths.or(z.array(z.string()).max(0)),
        /** Null: the current context of those files, fixed now. */
        context: z.string().nullable(),
      }),
      cloud: z.strictObject({ path: CloudSource.shape.path.nullable(), cloud: z.string() }).nullable(),
      roleLabels: RoleLabelRules.partial().optional(),
      limits: ClusterLimits.partial().optional(),
      openstackNamespace: z.string().optional(),
      leaseNamespace: z.string().optional(),
    }),
    output: Cluster,
  },
  'cluster.remove': { input: z.strictObject({ name: z.string() }), output: z.strictObject({}) },
  /** The exec plugin of a cluster's context, if it has one. */
  'cluster.exec-plugin': { input: z.strictObject({ name: z.string() }), output: ExecPlugin.nullable() },
  'cluster.consent': {
    input: z.strictObject({ name: z.string(), fingerprint: z.string() }),
    output: z.strictObject({}),
  },
  'cluster.test': { input: z.strictObject({ name: z.string() }), output: ClusterTestReport },
  /** Opens (or reuses) the session and tells what is unsafe about it. */
  'cluster.connect': {
    input: z.strictObject({ name: z.string() }),
    output: z.strictObject({
      warnings: z.array(SessionWarning),
      openstack: z.union([z.literal('ok'), z.literal('none'), Failure]),
    }),
  },
} as const
