import { Document } from 'yaml'
import type { Manifest } from './manifest.ts'
import { admissionManifests } from './runner-admission.ts'
import { RUNNER_DEFINITIONS, withoutRules } from './runner-definitions.ts'
import { type RunnerInstall, SINCE } from './runner-install.ts'
import { rightsManifests } from './runner-rights.ts'
import { workloadManifests } from './runner-workload.ts'

/** Everything that a runner needs in a cluster except its namespace and the Secrets of clouds, in the order for kubectl. */
export function runnerManifests(install: RunnerInstall): readonly Manifest[] {
  const definitions = install.minor < SINCE.rules ? RUNNER_DEFINITIONS.map(withoutRules) : RUNNER_DEFINITIONS
  const admission = install.admission && install.minor >= SINCE.admission ? admissionManifests() : []
  return [...definitions, ...admission, ...rightsManifests(install), ...workloadManifests(install)]
}

/** The manifests as one text, each document with a line of what it is for. */
export function manifestsText(manifests: readonly Manifest[]): string {
  return manifests
    .map(manifest => {
      const document = new Document(manifest, { aliasDuplicateObjects: false })
      if (document.contents !== null) document.contents.commentBefore = ` ${whatFor(manifest)}`
      return document.toString({ lineWidth: 0 })
    })
    .join('---\n')
}

/** The purpose of an object of the installation, as its comment. */
function whatFor({ kind, metadata: { name, namespace } }: Manifest): string {
  switch (kind) {
    case 'CustomResourceDefinition':
      return KINDS[name.split('.')[0] ?? ''] ?? ''
    case 'ValidatingAdmissionPolicy':
      return 'The API server refuses another name than that of the requesting user, and changes.'
    case 'ValidatingAdmissionPolicyBinding':
      return 'In every namespace.'
    case 'ServiceAccount':
      return 'The identity of the runner.'
    case 'ClusterRole':
      return 'What a plan needs on this cluster (as resources/rbac/lockkeeper-operator.yaml), and to know whether users are proved.'
    case 'Role':
      return ROLES[name] ?? `Leases of nodes, which consoles keep in ${namespace} too.`
    case 'NetworkPolicy':
      return 'In: metrics and health. Out: DNS, the API server, OpenStack. Narrow the last two to your addresses.'
    case 'PodDisruptionBudget':
      return 'One pod at a time may leave.'
    case 'Service':
      return 'Names of the pods, to read their metrics.'
    case 'StatefulSet':
      return 'The runner: each pod keeps its journal on its own volume.'
    default:
      return `Binds ${name}.`
  }
}

const KINDS: Readonly<Record<string, string>> = {
  maintenanceruns: 'A requested maintenance, and its status.',
  maintenancecampaigns: 'In what order MaintenanceRuns of many clouds start, and how many may fail.',
  maintenanceruncontrols: 'A request to a started MaintenanceRun or campaign: pause, resume, abort, answer.',
}

const ROLES: Readonly<Record<string, string>> = {
  'lockkeeper-runner-own': "The runner's own namespace: its requests, its Leases, and the Secrets of clouds.",
  'lockkeeper-submitter': 'To request a maintenance, and nothing else.',
  'lockkeeper-reader': 'To see requested maintenances and their results.',
  'lockkeeper-steerer': 'To pause, resume, abort and answer.',
  'lockkeeper-attach': 'To see a run in the console, through the API server.',
}
