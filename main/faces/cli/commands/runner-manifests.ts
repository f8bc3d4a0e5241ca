import { LOCKKEEPER_VERSION } from '../../../version.ts'
import { RUNNER_NAMESPACE, SINCE } from '../../../wings/runner/manifests/runner-install.ts'
import { manifestsText, runnerManifests } from '../../../wings/runner/manifests/runner-manifests.ts'
import type { Command } from '../command.ts'
import { reportUsage } from '../report-failure.ts'

/** RFC 1123 label. */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
/** An image name with a tag or a digest; the kubelet checks the rest. */
const IMAGE = /^[\w][\w.:@/-]*$/
/** Higher than any existing minor release. */
const NEWEST = 999

export const runnerManifestsCommand: Command = async context => {
  const { args, printer } = context
  const namespace = args.text('namespace') ?? RUNNER_NAMESPACE
  if (!NAMESPACE.test(namespace)) {
    return reportUsage(
      context,
      `"${namespace}" is not a valid namespace name. Use lower-case letters, digits and -, at most 63.`,
    )
  }
  const image = args.text('image') ?? `lockkeeper:${LOCKKEEPER_VERSION}`
  if (!IMAGE.test(image)) {
    return reportUsage(
      context,
      `"${image}" is not a valid image name. Write it as registry.example.org/lockkeeper:1.2.3.`,
    )
  }
  const minor = minorOf(args.text('kubernetes'))
  if (minor === null) {
    return reportUsage(context, `"${args.text('kubernetes')}" is not a Kubernetes release. Write it as 1.24.`)
  }
  if (minor < 20) return reportUsage(context, 'A runner supports Kubernetes 1.20 and later.')
  const manifests = runnerManifests({
    namespace,
    image,
    replicas: args.number('replicas') ?? 1,
    minor,
    admission: !args.isSet('no-admission'),
    isVolumeElsewhere: args.isSet('volume-elsewhere'),
  })
  if (printer.json) printer.value({ apiVersion: 'v1', kind: 'List', items: manifests })
  else printer.say(...headOf(namespace, minor), manifestsText(manifests).trimEnd())
  return 0
}

function headOf(namespace: string, minor: number): readonly string[] {
  return [
    `# A runner of Lockkeeper ${LOCKKEEPER_VERSION} (docs/runner.md). First: kubectl create namespace ${namespace}`,
    ...(minor < SINCE.rules
      ? ['# Kubernetes before 1.25 has no validation rules in CRDs: only the runner refuses changes of a spec.']
      : []),
    ...(minor < SINCE.admission
      ? ['# Kubernetes before 1.30 does not prove who confirmed a run: the journal says "by their own word".']
      : []),
  ]
}

function minorOf(release: string | null): number | null {
  if (release === null) return NEWEST
  const minor = /^v?1\.(\d{1,3})(?:\.\d+)?$/.exec(release)?.[1]
  return minor === undefined ? null : Number(minor)
}
