import { Json } from '../../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { ManifestFault } from '../../../../shared/words/steps/rolling-work.ts'
import { readYamlText } from '../../../platform/files/yaml-text.ts'
import { refusal } from '../../answers.ts'

interface JobManifest {
  readonly metadata: JsonObject
  readonly spec: JsonObject
}

type JsonObject = Readonly<Record<string, Json>>

const NODE_NAME = '$(NODE_NAME)'

/** A pod on a cordoned node must tolerate its taint, which the kubelet checks too. */
const CORDON_TOLERATION = { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }

/** Exactly one YAML or JSON document of kind Job, batch/v1, with a pod template. */
export function readJobManifest(text: string): Result<JobManifest> {
  const refused = (why: ManifestFault) => failed(refusal('bad-input', fault('JobManifestUnusable', { why })))
  if (text.trim() === '') return refused({ is: 'empty' })
  const yaml = readYamlText(text)
  if (!yaml.ok)
    return refused(yaml.code === 'MULTIPLE_DOCS' ? { is: 'several' } : { is: 'not-yaml', fault: yaml.fault })
  const read = Json.safeParse(yaml.value)
  const job = read.success ? objectOf(read.data) : null
  if (job === null) return refused({ is: 'no-object' })
  if (job.apiVersion !== 'batch/v1' || job.kind !== 'Job') {
    return refused({ is: 'other', objectKind: textOf(job.kind), api: textOf(job.apiVersion) })
  }
  const spec = objectOf(job.spec)
  const pod = objectOf(objectOf(spec?.template)?.spec)
  if (spec === null || pod === null) return refused({ is: 'no-template' })
  return ok({ metadata: objectOf(job.metadata) ?? {}, spec })
}

function textOf(value: Json | undefined): string | null {
  return value == null ? null : String(value)
}

/** Under its own name, pinned to the node, tolerating the cordon, with `$(NODE_NAME)` replaced. */
export function jobForNode(
  manifest: JobManifest,
  place: {
    readonly name: string
    readonly namespace: string
    readonly node: string
    readonly annotations: Readonly<Record<string, string>>
  },
): JsonObject {
  const metadata = replaced(manifest.metadata, place.node)
  const spec = replaced(manifest.spec, place.node)
  const template = objectOf(spec.template) ?? {}
  const pod = objectOf(template.spec) ?? {}
  const tolerations = Array.isArray(pod.tolerations) ? pod.tolerations : []
  const { generateName: _generated, ...named } = metadata
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...named,
      name: place.name,
      namespace: place.namespace,
      annotations: { ...objectOf(metadata.annotations), ...place.annotations },
    },
    spec: {
      ...spec,
      template: {
        ...template,
        spec: { ...pod, nodeName: place.node, tolerations: [...tolerations, CORDON_TOLERATION] },
      },
    },
  }
}

/** At most 63 characters, as its pods' label; the same for the same run, node and attempt. */
export function jobName(runId: string, node: string, attempt: number): string {
  const tail = attempt > 1 ? `-${attempt}` : ''
  const short = node
    .replace(/[^a-z0-9-]/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '')
  return `lockkeeper-${runId}-${short}-${hashOf(node)}${tail}`
}

/** Long names may begin alike. */
function hashOf(text: string): string {
  let hash = 0
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 4_294_967_291
  return hash.toString(36)
}

function replaced(value: JsonObject, node: string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replacedIn(inner, node)]))
}

function replacedIn(value: Json, node: string): Json {
  if (typeof value === 'string') return value.replaceAll(NODE_NAME, node)
  if (Array.isArray(value)) return value.map(inner => replacedIn(inner, node))
  const object = objectOf(value)
  return object === null ? value : { ...replaced(object, node) }
}

function objectOf(value: Json | undefined): JsonObject | null {
  return isObject(value) ? value : null
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
