import { z } from 'zod'
import { MaintenanceCampaignSpec, MaintenanceCampaignStatus } from '../../../../shared/domain/maintenance-campaign.ts'
import {
  MaintenanceRunControlSpec,
  MaintenanceRunControlStatus,
  MaintenanceRunSpec,
  MaintenanceRunStatus,
  RUNNER_GROUP,
  RUNNER_VERSION,
} from '../../../../shared/domain/maintenance-run.ts'
import type { Manifest } from './manifest.ts'

type Schema = Readonly<Record<string, unknown>>

/** What was confirmed cannot change (CEL, Kubernetes 1.25 and later). The runner also checks the hash. */
const IMMUTABLE: Schema = {
  rule: 'self == oldSelf',
  message: 'What was confirmed cannot be changed: make another object.',
}

/** One thing that a control is about. */
const ABOUT_ONE: Schema = {
  rule: 'has(self.run) != has(self.campaign)',
  message: 'It has to name a run or a campaign, and not both.',
}

/** A text that only the column of a list shows, made of two numbers. */
const forColumn = (description: string) => z.string().nullish().meta({ description, maxLength: 32 })

interface Column {
  readonly name: string
  readonly jsonPath: string
  readonly type?: 'date' | 'integer' | 'string'
  /** 1: only with `-o wide`. */
  readonly priority?: 1
}

interface Kind {
  readonly kind: string
  readonly plural: string
  readonly shortNames: readonly string[]
  readonly spec: z.ZodType
  readonly rules: readonly Schema[]
  readonly status: z.ZodType
  readonly columns: readonly Column[]
}

/** The kinds of the runner, as they are installed: their schemas are those by which this version reads. */
export const RUNNER_DEFINITIONS: readonly Manifest[] = [
  definition({
    kind: 'MaintenanceRun',
    plural: 'maintenanceruns',
    shortNames: ['mrun', 'mruns'],
    spec: MaintenanceRunSpec,
    rules: [IMMUTABLE],
    status: MaintenanceRunStatus.extend({ nodes: forColumn('Done of all, such as 3/40.') }),
    columns: [
      { name: 'Kind', jsonPath: '.spec.kind' },
      { name: 'Cluster', jsonPath: '.spec.cluster' },
      { name: 'Node', jsonPath: '.spec.node' },
      { name: 'Phase', jsonPath: '.status.phase' },
      { name: 'Nodes', jsonPath: '.status.nodes' },
      { name: 'Message', jsonPath: '.status.message' },
      { name: 'Campaign', jsonPath: '.spec.campaign', priority: 1 },
      { name: 'By', jsonPath: '.spec.confirmedBy', priority: 1 },
      { name: 'Estimated end', jsonPath: '.status.estimatedEnd', priority: 1 },
      { name: 'Runner', jsonPath: '.status.driver.runner', priority: 1 },
    ],
  }),
  definition({
    kind: 'MaintenanceCampaign',
    plural: 'maintenancecampaigns',
    shortNames: ['mcamp'],
    spec: MaintenanceCampaignSpec,
    rules: [IMMUTABLE],
    status: MaintenanceCampaignStatus.extend({
      batches: forColumn('The batch of all, such as 2/5.'),
      runs: forColumn('Runs that ended of all, such as 7/20.'),
    }),
    columns: [
      { name: 'Phase', jsonPath: '.status.phase' },
      { name: 'Batch', jsonPath: '.status.batches' },
      { name: 'Runs', jsonPath: '.status.runs' },
      { name: 'Failed', jsonPath: '.status.runsFailed', type: 'integer' },
      { name: 'Message', jsonPath: '.status.message' },
      { name: 'Budget', jsonPath: '.spec.failureBudget', type: 'integer', priority: 1 },
      { name: 'By', jsonPath: '.spec.confirmedBy', priority: 1 },
      { name: 'Runner', jsonPath: '.status.driver.runner', priority: 1 },
    ],
  }),
  definition({
    kind: 'MaintenanceRunControl',
    plural: 'maintenanceruncontrols',
    shortNames: ['mrunctl'],
    spec: MaintenanceRunControlSpec,
    rules: [IMMUTABLE, ABOUT_ONE],
    status: MaintenanceRunControlStatus,
    columns: [
      { name: 'Run', jsonPath: '.spec.run' },
      { name: 'Campaign', jsonPath: '.spec.campaign' },
      { name: 'Control', jsonPath: '.spec.control' },
      { name: 'By', jsonPath: '.spec.by' },
      { name: 'Outcome', jsonPath: '.status.outcome' },
      { name: 'Message', jsonPath: '.status.message' },
      { name: 'Reason', jsonPath: '.spec.reason', priority: 1 },
    ],
  }),
]

function definition({ kind, plural, shortNames, spec, rules, status, columns }: Kind): Manifest {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${RUNNER_GROUP}` },
    spec: {
      group: RUNNER_GROUP,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames: [...shortNames] },
      versions: [
        {
          name: RUNNER_VERSION,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              required: ['spec'],
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: { ...structural(spec), 'x-kubernetes-validations': rules },
                status: structural(status),
              },
            },
          },
          subresources: { status: {} },
          additionalPrinterColumns: [
            ...columns.map(({ type = 'string', ...column }) => ({ ...column, type })),
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      ],
    },
  }
}

/** A schema as Kubernetes has it: structural, and without defaults, which would be written into objects. */
function structural(schema: z.ZodType): Schema {
  const { definitions, ...made } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    override: inKubernetes,
  })
  return made
}

function inKubernetes({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { additionalProperties, format, maximum, type } = jsonSchema
  if (typeof additionalProperties === 'object') jsonSchema['x-kubernetes-preserve-unknown-fields'] = true
  delete jsonSchema.additionalProperties
  delete jsonSchema.default
  // Zod's pattern of a time is longer than all the rest, and the format says the same.
  if (format === 'date-time') delete jsonSchema.pattern
  if (type === 'integer' && maximum === Number.MAX_SAFE_INTEGER) {
    jsonSchema.format = 'int64'
    delete jsonSchema.maximum
  }
}

/** The same for API servers before 1.25, whose kubectl refuses a definition with rules that it does not know (immutability is then the runner's alone). */
export function withoutRules(manifest: Manifest): Manifest {
  return stripped(manifest) as Manifest
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => field !== 'x-kubernetes-validations')
      .map(([field, content]) => [field, stripped(content)]),
  )
}
