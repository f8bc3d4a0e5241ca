import { LOCKKEEPER_VERSION } from '../../../version.ts'
import { RUNNER_NAMESPACE, SINCE } from '../../../wings/runner/manifests/runner-install.ts'
import { manifestsText, runnerManifests } from '../../../wings/runner/manifests/runner-manifests.ts'
import type { Command } from '../command.ts'
import { reportUsage } from '../report-failure.ts'

/** A name of a namespace (RFC 1123 label). */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
/** A name in a registry, with a tag or a digest; what it means is the kubelet's to find out. */
const IMAGE = /^[\w][\w.:@/-]*$/
/** Newer than any that there is. */
const NEWEST = 999

/** `runner manifests`: prints what a runner needs in a cluster. */
export const runnerManifestsCommand: Command = async context => {
  const { args, printer } = context
  const namespace = args.text('namespace') ?? RUNNER_NAMESPACE
  if (!NAMESPACE.test(namespace)) {
    return reportUsage(
      context,
      `"${namespace}" is no name of a namespace: lower-case letters, digits and -, at most 63.`,
    )
  }
  const image = args.text('image') ?? `lockkeeper:${LOCKKEEPER_VERSION}`
  if (!IMAGE.test(image)) {
    return reportUsage(context, `"${image}" is no name of an image. Write it as registry.example.org/lockkeeper:1.2.3.`)
  }
  const minor = minorOf(args.text('kubernetes'))
  if (minor === null) {
    return reportUsage(context, `"${args.text('kubernetes')}" is no release of Kubernetes. Write it as 1.24.`)
  }
  if (minor < 20) return reportUsage(context, 'Kubernetes 1.20 is the oldest that a runner is held against.')
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
      ? [
          '# Kubernetes before 1.25 has no rules in definitions: that a spec is never changed is kept by the runner alone.',
        ]
      : []),
    ...(minor < SINCE.admission
      ? ['# Kubernetes before 1.30 does not prove who confirmed: the journal says "by their own word".']
      : []),
  ]
}

function minorOf(release: string | null): number | null {
  if (release === null) return NEWEST
  const minor = /^v?1\.(\d{1,3})(?:\.\d+)?$/.exec(release)?.[1]
  return minor === undefined ? null : Number(minor)
}
