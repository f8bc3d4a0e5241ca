import type { Command } from '../../../../faces/cli/command.ts'
import { reportFailure, reportUsage } from '../../../../faces/cli/report-failure.ts'
import { printManifests } from '../../manifests/print-manifests.ts'

/** RFC 1123 label. */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
/** An image name with a tag or a digest; the kubelet checks the rest. */
const IMAGE = /^[\w][\w.:@/-]*$/
/** Higher than any existing minor release. */
const NEWEST = 999

export const runnerManifestsCommand: Command = async context => {
  const { args, printer } = context
  const namespace = args.text('namespace')
  if (namespace !== null && !NAMESPACE.test(namespace)) {
    return reportUsage(
      context,
      `"${namespace}" is not a valid namespace name. Use lower-case letters, digits and -, at most 63.`,
    )
  }
  const image = args.text('image')
  if (image !== null && !IMAGE.test(image)) {
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
  const manifests = printManifests({
    namespace,
    image,
    replicas: args.number('replicas') ?? 1,
    minor,
    admission: !args.isSet('no-admission'),
    isVolumeElsewhere: args.isSet('volume-elsewhere'),
  })
  if (!manifests.ok) return reportFailure(context, manifests.failure)
  const { items, lines } = manifests.value
  if (printer.json) printer.value({ apiVersion: 'v1', kind: 'List', items })
  else printer.say(...lines)
  return 0
}

function minorOf(release: string | null): number | null {
  if (release === null) return NEWEST
  const minor = /^v?1\.(\d{1,3})(?:\.\d+)?$/.exec(release)?.[1]
  return minor === undefined ? null : Number(minor)
}
