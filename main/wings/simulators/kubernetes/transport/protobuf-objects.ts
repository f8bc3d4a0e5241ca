import type { JsonObject } from '../store/json.ts'
import { decodeMessage, type MessageShape, readFields } from './protobuf.ts'

/** kubectl 1.32 writes some objects in protobuf (`auth can-i`, `create namespace`). Field numbers come from k8s.io/api and apimachinery, `generated.proto`. */
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf'

const OWNER: MessageShape = {
  1: ['kind', 'text'],
  3: ['name', 'text'],
  4: ['uid', 'text'],
  5: ['apiVersion', 'text'],
  6: ['controller', 'flag'],
  7: ['blockOwnerDeletion', 'flag'],
}

const METADATA: MessageShape = {
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  4: ['selfLink', 'ignored'],
  5: ['uid', 'text'],
  6: ['resourceVersion', 'text'],
  7: ['generation', 'ignored'],
  8: ['creationTimestamp', 'ignored'],
  11: ['labels', 'text-map'],
  12: ['annotations', 'text-map'],
  13: ['ownerReferences', { many: OWNER }],
  14: ['finalizers', 'texts'],
}

const SELECTOR: MessageShape = {
  1: ['matchLabels', 'text-map'],
  2: ['matchExpressions', { many: { 1: ['key', 'text'], 2: ['operator', 'text'], 3: ['values', 'texts'] } }],
}

const DELETE_OPTIONS: MessageShape = {
  1: ['gracePeriodSeconds', 'number'],
  2: ['preconditions', { one: { 1: ['uid', 'text'], 2: ['resourceVersion', 'text'] } }],
  3: ['orphanDependents', 'flag'],
  4: ['propagationPolicy', 'text'],
  5: ['dryRun', 'texts'],
}

const ACCESS: MessageShape = {
  1: ['namespace', 'text'],
  2: ['verb', 'text'],
  3: ['group', 'text'],
  4: ['version', 'text'],
  5: ['resource', 'text'],
  6: ['subresource', 'text'],
  7: ['name', 'text'],
}

const BUDGET: MessageShape = {
  1: ['minAvailable', 'int-or-string'],
  2: ['selector', { one: SELECTOR }],
  3: ['maxUnavailable', 'int-or-string'],
  4: ['unhealthyPodEvictionPolicy', 'text'],
}

function object(fields: MessageShape): MessageShape {
  return { 1: ['metadata', { one: METADATA }], ...fields }
}

const SHAPES: Readonly<Record<string, MessageShape>> = {
  DeleteOptions: DELETE_OPTIONS,
  Eviction: object({ 2: ['deleteOptions', { one: DELETE_OPTIONS }] }),
  Namespace: object({ 2: ['spec', 'ignored'], 3: ['status', 'ignored'] }),
  ConfigMap: object({ 2: ['data', 'text-map'], 3: ['binaryData', 'bytes-map'], 4: ['immutable', 'flag'] }),
  Secret: object({
    2: ['data', 'bytes-map'],
    3: ['type', 'text'],
    4: ['stringData', 'text-map'],
    5: ['immutable', 'flag'],
  }),
  ServiceAccount: object({ 4: ['automountServiceAccountToken', 'flag'] }),
  PodDisruptionBudget: object({ 2: ['spec', { one: BUDGET }], 3: ['status', 'ignored'] }),
  SelfSubjectAccessReview: object({
    2: [
      'spec',
      {
        one: {
          1: ['resourceAttributes', { one: ACCESS }],
          2: ['nonResourceAttributes', { one: { 1: ['path', 'text'], 2: ['verb', 'text'] } }],
        },
      },
    ],
    3: ['status', 'ignored'],
  }),
  SelfSubjectRulesReview: object({ 2: ['spec', { one: { 1: ['namespace', 'text'] } }], 3: ['status', 'ignored'] }),
  SelfSubjectReview: object({ 2: ['status', 'ignored'] }),
}

const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00])

/** Reads an object in Kubernetes' protobuf envelope (apimachinery `runtime.Unknown`); null for an unknown kind or field. */
export function decodeProtobufObject(body: Buffer): JsonObject | null {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) return null
  const envelope = readFields(body.subarray(MAGIC.length))
  const typeMeta = envelope?.find(field => field.number === 1)?.value
  const raw = envelope?.find(field => field.number === 2)?.value ?? Buffer.alloc(0)
  if (!Buffer.isBuffer(typeMeta) || !Buffer.isBuffer(raw)) return null
  const named = decodeMessage(typeMeta, { 1: ['apiVersion', 'text'], 2: ['kind', 'text'] })
  const shape = SHAPES[String(named?.kind)]
  const content = shape === undefined ? null : decodeMessage(raw, shape)
  return named === null || content === null ? null : { ...named, ...content }
}
