import type { Manifest } from './manifest.ts'
import { LABELS, RUNNER, type RunnerInstall, SELECTOR, SINCE } from './runner-install.ts'

/** The user of the image, who owns nothing but the volume. */
const USER = 65_532
const DATA = '/var/lib/lockkeeper'
/** In memory, so that the contents of cloud Secrets are on no disk of a node. */
const CLOUDS = '/run/lockkeeper'
/** Metrics and health, the only port that listens on more than loopback. */
const RUNNER_PORT = 9464

/** Ports of the APIs that a runner uses: Kubernetes, and OpenStack behind TLS or as its services listen. */
const API_PORTS = [443, 6443]
const OPENSTACK_PORTS = [5000, 8774, 8776, 8778, 9322, 9696]

/** The pods, their network policy, and how many may be missing at a time. */
export function workloadManifests(install: RunnerInstall): readonly Manifest[] {
  return [networkPolicy(install), budget(install), service(install), statefulSet(install)]
}

function networkPolicy({ namespace }: RunnerInstall): Manifest {
  const tcp = (ports: readonly number[]) => ports.map(port => ({ protocol: 'TCP', port }))
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: RUNNER, namespace, labels: LABELS },
    spec: {
      podSelector: { matchLabels: SELECTOR },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: RUNNER_PORT }] }],
      egress: [
        { ports: [{ protocol: 'UDP', port: 53 }, ...tcp([53])] },
        { ports: tcp(API_PORTS) },
        { ports: tcp(OPENSTACK_PORTS) },
      ],
    },
  }
}

function budget({ namespace, minor }: RunnerInstall): Manifest {
  return {
    apiVersion: minor < SINCE.budgetsV1 ? 'policy/v1beta1' : 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: RUNNER, namespace, labels: LABELS },
    // Not minAvailable: the one pod of an ordinary installation has to be able to leave a node.
    spec: { maxUnavailable: 1, selector: { matchLabels: SELECTOR } },
  }
}

function service({ namespace }: RunnerInstall): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: RUNNER, namespace, labels: LABELS },
    spec: {
      clusterIP: 'None',
      selector: SELECTOR,
      ports: [{ name: 'metrics', port: RUNNER_PORT, targetPort: 'metrics' }],
    },
  }
}

function statefulSet(install: RunnerInstall): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: RUNNER, namespace: install.namespace, labels: LABELS },
    spec: {
      serviceName: RUNNER,
      replicas: install.replicas,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: SELECTOR },
      template: { metadata: { labels: LABELS }, spec: podSpec(install) },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
        },
      ],
    },
  }
}

function podSpec(install: RunnerInstall) {
  return {
    serviceAccountName: RUNNER,
    automountServiceAccountToken: true,
    // A run is left at the next quiet point, and its Lease released.
    terminationGracePeriodSeconds: 120,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    affinity: {
      nodeAffinity: {
        // It never empties its own node, so it should not run on a node that will be emptied.
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            preference: {
              matchExpressions: [{ key: 'openstack-compute-node', operator: 'NotIn', values: ['enabled'] }],
            },
          },
        ],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: SELECTOR },
      },
    ],
    containers: [container(install)],
    volumes: [
      { name: 'clouds', emptyDir: { medium: 'Memory', sizeLimit: '16Mi' } },
      { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
    ],
  }
}

function container({ image, replicas, isVolumeElsewhere }: RunnerInstall) {
  const probe = (path: string) => ({ httpGet: { path, port: 'metrics' } })
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } })
  return {
    name: 'runner',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [
      ...['runner', 'run', '--data-dir', DATA, '--secrets-dir', CLOUDS, '--replicas', String(replicas)],
      ...(isVolumeElsewhere ? ['--volume-elsewhere'] : []),
    ],
    env: [
      field('POD_NAME', 'metadata.name'),
      field('POD_NAMESPACE', 'metadata.namespace'),
      field('NODE_NAME', 'spec.nodeName'),
    ],
    ports: [{ name: 'metrics', containerPort: RUNNER_PORT }],
    startupProbe: { ...probe('/livez'), periodSeconds: 5, failureThreshold: 60 },
    livenessProbe: { ...probe('/livez'), periodSeconds: 20, timeoutSeconds: 5, failureThreshold: 6 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 10, timeoutSeconds: 5 },
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'data', mountPath: DATA },
      { name: 'clouds', mountPath: CLOUDS },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  }
}
