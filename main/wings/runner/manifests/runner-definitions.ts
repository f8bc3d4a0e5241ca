// Longer than it reckons: the schemas, field by field.
import { CampaignHold, MaintenanceCampaignPhase, MOST_RUNS } from '../../../../shared/domain/maintenance-campaign.ts'
import {
  AgreedAnswer,
  LONGEST_PLAN,
  MaintenanceRunControlSpec,
  MaintenanceRunControlStatus,
  MaintenanceRunPhase,
  MOST_REASONS,
  ResumePolicy,
  RUNNER_GROUP,
  RUNNER_VERSION,
} from '../../../../shared/domain/maintenance-run.ts'
import { RunKind } from '../../../../shared/domain/plan.ts'
import type { Manifest } from './manifest.ts'

type Schema = Readonly<Record<string, unknown>>

/** Longest name of an object of Kubernetes, of a node and of a host. */
const LONGEST_NAME = 253
/** Longest name of a user: certificates and token issuers make long ones. */
const LONGEST_USER = 1024
/** Longest sentence that a person writes, or reads in a column. */
const LONGEST_SENTENCE = 4096
const MOST_ANSWERS = 50

const text = (description: string, maxLength: number, more: Schema = {}): Schema => ({
  type: 'string',
  description,
  maxLength,
  ...more,
})
const needed = (description: string, maxLength: number, more: Schema = {}): Schema =>
  text(description, maxLength, { minLength: 1, ...more })
const time = (description: string, more: Schema = {}): Schema => ({
  type: 'string',
  format: 'date-time',
  description,
  ...more,
})
const count = (description: string): Schema => ({ type: 'integer', format: 'int64', minimum: 0, description })
const oneOf = (values: readonly string[], description: string, more: Schema = {}): Schema => ({
  type: 'string',
  enum: [...values],
  description,
  ...more,
})
const object = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  more: Schema = {},
): Schema => ({
  type: 'object',
  ...(required.length === 0 ? {} : { required: [...required] }),
  properties,
  ...more,
})

/** What was confirmed is what is done (CEL, Kubernetes 1.25 and later). The runner goes by the hash besides. */
const IMMUTABLE = {
  'x-kubernetes-validations': [
    { rule: 'self == oldSelf', message: 'What was confirmed cannot be changed: make another object.' },
  ],
} as const

const RUN_SPEC = object(
  {
    kind: oneOf(RunKind.options, 'What is done, as the plan says it.'),
    cluster: needed('The cloud, by the name that the runner knows.', LONGEST_NAME),
    node: needed('The node. Absent: many nodes.', LONGEST_NAME, { nullable: true }),
    plan: needed('The sealed plan: JSON, letter by letter as it was confirmed.', LONGEST_PLAN),
    planHash: text('SHA-256 of plan, hexadecimal.', 64, { pattern: '^[0-9a-f]{64}$' }),
    confirmedBy: needed('The user who confirmed, as the API server calls them.', LONGEST_USER),
    startAfter: time('Not begun before. Absent: at once.', { nullable: true }),
    notAfter: time('No node is begun that would not be finished by then. Absent: no end.', { nullable: true }),
    answers: {
      type: 'array',
      maxItems: MOST_ANSWERS,
      description: 'Answers that were agreed before. Any other question waits for a person.',
      items: object(
        {
          step: needed('Kind of the step that asks, such as drain-node.', 64),
          choice: oneOf(AgreedAnswer.shape.choice.options, 'What is answered, where the question offers it.'),
          reason: needed('Why.', LONGEST_SENTENCE),
          atMost: { type: 'integer', minimum: 1, maximum: 20, description: 'How often. Absent: once.' },
        },
        ['step', 'choice', 'reason'],
      ),
    },
    resumePolicy: oneOf(ResumePolicy.options, 'Whether a runner takes the run up again by itself. Absent: Always.'),
    campaign: needed('The MaintenanceCampaign that says when it begins. Absent: it begins by itself.', LONGEST_NAME, {
      nullable: true,
    }),
    handedOver: object(
      {
        run: text('Its id, in the journal of the console and in that of the runner.', 64, {
          pattern: '^[A-Za-z0-9-]+$',
        }),
        story: needed('Its events, a line each as JSON, compressed with Brotli, in base64.', LONGEST_PLAN),
        storyHash: text('SHA-256 of these lines, hexadecimal.', 64, { pattern: '^[0-9a-f]{64}$' }),
      },
      ['run', 'story', 'storyHash'],
      { nullable: true, description: 'The run under way that is gone on with. Absent: it is begun.' },
    ),
  },
  ['kind', 'cluster', 'plan', 'planHash', 'confirmedBy'],
  IMMUTABLE,
)

const DRIVER = object(
  {
    runner: text('The pod.', LONGEST_NAME),
    id: text('Random, anew with each start of the process.', 128),
    epoch: count('Higher with each taking: of a begun run by whoever drives it, else of the work by this process.'),
  },
  ['runner', 'id', 'epoch'],
  { nullable: true, description: 'Who drives it.' },
)

const RUN_STATUS = object(
  {
    phase: oneOf(MaintenanceRunPhase.options, 'Where it stands.'),
    runId: text("The run's id in the runner's journal.", 128, { nullable: true }),
    nodesDone: count('Nodes that are done.'),
    nodesAll: count('Nodes that the plan is about.'),
    nodes: text('Done of all, such as 3/40.', 32, { nullable: true }),
    message: text('What it does, waits for or came to.', LONGEST_SENTENCE, { nullable: true }),
    reason: text('The code of the first of reasons, such as LockHeld.', 128, { nullable: true }),
    reasons: {
      type: 'array',
      maxItems: MOST_REASONS,
      nullable: true,
      description: 'What the message says, by codes with their values; the first is what it waits for.',
      items: object({ code: needed('CamelCase.', 128) }, ['code'], { 'x-kubernetes-preserve-unknown-fields': true }),
    },
    gateId: text('The open question, for a control that answers.', 256, { nullable: true }),
    estimatedEnd: time('When it is estimated to be over.', { nullable: true }),
    driver: DRIVER,
    lastSeq: count('Number of its last event.'),
    head: object({ seq: count('Number of the link.'), hash: text('Hash of the link.', 64) }, ['seq', 'hash'], {
      nullable: true,
      description: "Head of the journal's chain then.",
    }),
    startedAt: time('When it was begun.', { nullable: true }),
    endedAt: time('When it was over.', { nullable: true }),
  },
  ['phase', 'nodesDone', 'nodesAll', 'lastSeq'],
)

const MOST_BATCHES = 100
const listOfRuns = (description: string, more: Schema = {}): Schema => ({
  type: 'array',
  maxItems: MOST_RUNS,
  description,
  items: needed('Name of a MaintenanceRun.', LONGEST_NAME),
  ...more,
})

const CAMPAIGN_SPEC = object(
  {
    batches: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_BATCHES,
      description: 'In order: a batch is begun when all runs of the one before have ended.',
      items: object(
        {
          name: needed('For people.', LONGEST_NAME, { nullable: true }),
          runs: listOfRuns('Runs, in the order in which they are begun. Each names this campaign in its spec.', {
            minItems: 1,
            'x-kubernetes-list-type': 'set',
          }),
          atOnce: {
            type: 'integer',
            minimum: 1,
            maximum: MOST_RUNS,
            nullable: true,
            description: 'How many of them are under way at once. Absent: all.',
          },
        },
        ['runs'],
      ),
    },
    failureBudget: {
      type: 'integer',
      minimum: 0,
      maximum: MOST_RUNS,
      description: 'How many runs may end other than done before nothing more is begun. Absent: none.',
    },
    confirmedBy: needed('The user who asks for it, as the API server calls them.', LONGEST_USER),
  },
  ['batches', 'confirmedBy'],
  IMMUTABLE,
)

const CAMPAIGN_STATUS = object(
  {
    phase: oneOf(MaintenanceCampaignPhase.options, 'Where it stands.'),
    batch: count('The batch under way, from 1; 0: none.'),
    batchesAll: count('Batches in all.'),
    batches: text('The batch of all, such as 2/5.', 32, { nullable: true }),
    runsDone: count('Runs that are done.'),
    runsFailed: count('Runs that ended other than done.'),
    runsAll: count('Runs in all.'),
    runs: text('Runs that ended of all, such as 7/20.', 32, { nullable: true }),
    message: text('What it does, waits for or came to.', LONGEST_SENTENCE, { nullable: true }),
    released: listOfRuns('Runs that may begin, or were begun, and have not ended.'),
    ended: {
      type: 'array',
      maxItems: MOST_RUNS,
      description: 'How its runs ended.',
      items: object({ run: text('Name.', LONGEST_NAME), phase: text('How.', 64) }, ['run', 'phase']),
    },
    hold: object(
      {
        kind: oneOf(CampaignHold.shape.kind.options, 'Why nothing more is begun.'),
        by: text('Who said so.', LONGEST_USER),
        reason: text('Why.', LONGEST_SENTENCE),
      },
      ['kind'],
      { nullable: true, description: 'Absent: runs are begun.' },
    ),
    heldSince: time('Since when.', { nullable: true }),
    heard: {
      type: 'array',
      maxItems: 50,
      description: 'Controls that were heard lately, and what was said.',
      items: object(
        {
          uid: text('UID of the control.', 64),
          outcome: oneOf(MaintenanceRunControlStatus.shape.outcome.options, 'Whether it was done.'),
          message: text('What came of it, or why not.', LONGEST_SENTENCE, { nullable: true }),
        },
        ['uid', 'outcome'],
      ),
    },
    driver: DRIVER,
    startedAt: time('When its first run was released.', { nullable: true }),
    endedAt: time('When it was over.', { nullable: true }),
  },
  ['phase', 'batch', 'batchesAll', 'runsDone', 'runsFailed', 'runsAll'],
)

/** One thing that a control is about. */
const ABOUT_ONE: Schema = {
  rule: 'has(self.run) != has(self.campaign)',
  message: 'It has to name a run or a campaign, and not both.',
}

const CONTROL_SPEC = object(
  {
    run: needed('Name of the MaintenanceRun.', LONGEST_NAME),
    campaign: needed('Name of the MaintenanceCampaign, which heeds pause, resume and abort.', LONGEST_NAME),
    control: oneOf(MaintenanceRunControlSpec.shape.control.options, 'What is asked of it.'),
    by: needed('Who asks, as the API server calls them.', LONGEST_USER),
    reason: text('Why.', LONGEST_SENTENCE),
    gateId: needed('The question that is answered.', 256),
    choice: needed('What is answered or decided.', 64),
    node: needed('The node that is skipped.', LONGEST_NAME),
    instanceId: needed('The instance that is decided about.', 64),
  },
  ['control', 'by'],
  { 'x-kubernetes-validations': [...IMMUTABLE['x-kubernetes-validations'], ABOUT_ONE] },
)

const CONTROL_STATUS = object(
  {
    outcome: oneOf(MaintenanceRunControlStatus.shape.outcome.options, 'Whether it was done.'),
    message: text('What came of it, or why not.', LONGEST_SENTENCE, { nullable: true }),
    at: time('When.'),
  },
  ['outcome', 'at'],
)

interface Column {
  readonly name: string
  readonly jsonPath: string
  readonly type?: 'date' | 'integer' | 'string'
  /** 1: only with `-o wide`. */
  readonly priority?: 1
}

/** The kinds of the runner, as they are installed; resources/runner holds them for kubectl. */
export const RUNNER_DEFINITIONS: readonly Manifest[] = [
  definition(
    { kind: 'MaintenanceRun', plural: 'maintenanceruns', shortNames: ['mrun', 'mruns'] },
    RUN_SPEC,
    RUN_STATUS,
    [
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
  ),
  definition(
    { kind: 'MaintenanceCampaign', plural: 'maintenancecampaigns', shortNames: ['mcamp'] },
    CAMPAIGN_SPEC,
    CAMPAIGN_STATUS,
    [
      { name: 'Phase', jsonPath: '.status.phase' },
      { name: 'Batch', jsonPath: '.status.batches' },
      { name: 'Runs', jsonPath: '.status.runs' },
      { name: 'Failed', jsonPath: '.status.runsFailed', type: 'integer' },
      { name: 'Message', jsonPath: '.status.message' },
      { name: 'Budget', jsonPath: '.spec.failureBudget', type: 'integer', priority: 1 },
      { name: 'By', jsonPath: '.spec.confirmedBy', priority: 1 },
      { name: 'Runner', jsonPath: '.status.driver.runner', priority: 1 },
    ],
  ),
  definition(
    { kind: 'MaintenanceRunControl', plural: 'maintenanceruncontrols', shortNames: ['mrunctl'] },
    CONTROL_SPEC,
    CONTROL_STATUS,
    [
      { name: 'Run', jsonPath: '.spec.run' },
      { name: 'Campaign', jsonPath: '.spec.campaign' },
      { name: 'Control', jsonPath: '.spec.control' },
      { name: 'By', jsonPath: '.spec.by' },
      { name: 'Outcome', jsonPath: '.status.outcome' },
      { name: 'Message', jsonPath: '.status.message' },
      { name: 'Reason', jsonPath: '.spec.reason', priority: 1 },
    ],
  ),
]

function definition(
  {
    kind,
    plural,
    shortNames,
  }: { readonly kind: string; readonly plural: string; readonly shortNames: readonly string[] },
  spec: Schema,
  status: Schema,
  columns: readonly Column[],
): Manifest {
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
                metadata: {
                  type: 'object',
                },
                spec,
                status,
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
