import { at, isJsonObject, type Json, type JsonObject, listAt, recordAt, textAt, textsAt } from '../store/json.ts'
import type { KubernetesObject } from '../store/kubernetes-object.ts'

/** Sets the API server's defaults for a new object (`SetDefaults_*` and the registry's PrepareForCreate). */
export function withDefaults(object: KubernetesObject, now: string): KubernetesObject {
  const spec = recordAt(object, 'spec')
  switch (object.kind) {
    case 'Node':
      return { ...object, spec }
    case 'Pod':
      return { ...object, spec: { ...podSpec(spec), tolerations: podTolerations(spec) } }
    case 'Deployment':
      return withTemplate(object, {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      })
    case 'ReplicaSet':
      return withTemplate(object, { replicas: 1 })
    case 'StatefulSet':
      return withTemplate(object, {
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        revisionHistoryLimit: 10,
      })
    case 'DaemonSet':
      return withTemplate(object, {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        revisionHistoryLimit: 10,
      })
    case 'Job':
      return withTemplate(object, { parallelism: 1, completions: 1, backoffLimit: 6 })
    case 'Namespace':
      return {
        ...object,
        metadata: {
          ...object.metadata,
          labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name ?? '' },
        },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      }
    case 'Secret':
      return withEncodedData(object)
    case 'Service':
      return { ...object, spec: { type: 'ClusterIP', sessionAffinity: 'None', clusterIP: clusterIp(object), ...spec } }
    case 'PersistentVolumeClaim': {
      const size = at(spec, 'resources', 'requests', 'storage') ?? '1Gi'
      const accessModes = at(spec, 'accessModes') ?? ['ReadWriteOnce']
      return {
        ...object,
        spec: { volumeMode: 'Filesystem', volumeName: `pvc-${object.metadata.name ?? ''}`, ...spec, accessModes },
        status: { phase: 'Bound', accessModes, capacity: { storage: size } },
      }
    }
    case 'CustomResourceDefinition':
      return establishedDefinition(object, now)
    default:
      return object
  }
}

/** Completes and accepts the names of a CustomResourceDefinition, and establishes it at once. */
export function establishedDefinition(object: KubernetesObject, now: string): KubernetesObject {
  const names = recordAt(object, 'spec', 'names')
  const kind = textAt(names, 'kind') ?? ''
  const accepted = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names }
  const since = textAt(listAt(object, 'status', 'conditions')[0], 'lastTransitionTime') ?? now
  const stored = listAt(object, 'spec', 'versions').filter(version => at(version, 'storage') === true)
  return {
    ...object,
    spec: { conversion: { strategy: 'None' }, ...recordAt(object, 'spec'), names: accepted },
    status: {
      acceptedNames: accepted,
      storedVersions: stored.map(version => textAt(version, 'name') ?? ''),
      conditions: [
        condition('NamesAccepted', 'NoConflicts', 'no conflicts found', since),
        condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', since),
      ],
    },
  }
}

function condition(type: string, reason: string, message: string, since: string): JsonObject {
  return { type, status: 'True', lastTransitionTime: since, reason, message }
}

function withTemplate(object: KubernetesObject, defaults: JsonObject): KubernetesObject {
  const spec = recordAt(object, 'spec')
  const template = recordAt(spec, 'template')
  return {
    ...object,
    spec: { ...defaults, ...spec, template: { ...template, spec: podSpec(recordAt(template, 'spec')) } },
  }
}

function podSpec(spec: JsonObject): JsonObject {
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
    ...spec,
    containers: listAt(spec, 'containers').map(container =>
      isJsonObject(container)
        ? {
            imagePullPolicy: 'IfNotPresent',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            ...container,
          }
        : container,
    ),
  }
}

/** Adds the tolerations of the DefaultTolerationSeconds admission plugin: 300 s on a lost node. */
function podTolerations(spec: JsonObject): readonly Json[] {
  const given = listAt(spec, 'tolerations')
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter(
      key =>
        !given.some(
          one => at(one, 'key') === key || (at(one, 'key') === undefined && at(one, 'operator') === 'Exists'),
        ),
    )
    .map(key => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))
  return [...given, ...added]
}

function withEncodedData(object: KubernetesObject): KubernetesObject {
  const { stringData: _, ...rest } = object
  const encoded = Object.entries(textsAt(object, 'stringData')).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ])
  return {
    type: 'Opaque',
    ...rest,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: object.metadata,
    data: { ...recordAt(object, 'data'), ...Object.fromEntries(encoded) },
  }
}

/** Derives a stable address from the service's name; nothing connects to it. */
function clusterIp(object: KubernetesObject): string {
  let sum = 0
  for (const letter of `${object.metadata.namespace}/${object.metadata.name}`) {
    sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_000
  }
  return `10.96.${Math.floor(sum / 250)}.${(sum % 250) + 2}`
}
