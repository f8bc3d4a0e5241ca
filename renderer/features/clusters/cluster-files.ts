import { useState } from 'react'
import type { FoundCluster, RequestOutput } from '../../../shared/contract/index.ts'
import { inspectClouds, inspectKubeconfig } from '../../bridge/cluster-edits.ts'
import { type Offers, useOffers } from '../../ui/clusters/use-offers.ts'
import type { Way } from './use-cluster-tests.ts'

/** Several kubeconfigs are written as kubectl accepts them. */
export function pathsOf(text: string): readonly string[] {
  return text.split(':').filter(path => path !== '')
}

/** The kubeconfig of a new cluster: its path, what it offers, and the chosen context. */
export interface Kubeconfig {
  /** As typed; the operator may not have read it yet. */
  readonly text: string
  readonly setText: (text: string) => void
  readonly offers: Offers<RequestOutput<'kubeconfig.inspect'>>
  /** The path that was read: another typed path is not what would be added. */
  readonly readText: string | null
  readonly contextName: string | null
  readonly setContextName: (name: string | null) => void
  readonly context: RequestOutput<'kubeconfig.inspect'>['contexts'][number] | null
  readonly read: (path: string, quietly?: boolean) => Promise<void>
}

export function useKubeconfig(): Kubeconfig {
  const [text, setText] = useState('')
  const offers = useOffers<RequestOutput<'kubeconfig.inspect'>>()
  const [readText, setReadText] = useState<string | null>(null)
  const [contextName, setContextName] = useState<string | null>(null)
  const read = async (asked: string, quietly = false) => {
    const found = await offers.read(() => inspectKubeconfig(pathsOf(asked)), quietly)
    if (found === undefined) return
    setReadText(found === null ? null : asked === '' ? found.paths.join(':') : asked)
    setContextName(found?.contexts.find(context => context.current)?.name ?? found?.contexts[0]?.name ?? null)
    if (found !== null && asked === '') setText(found.paths.join(':'))
  }
  const context = offers.value?.contexts.find(offer => offer.name === contextName) ?? null
  return { text, setText, offers, readText, contextName, setContextName, context, read }
}

/** The clouds.yaml of a new cluster, and the chosen cloud; a cluster may have none. */
export interface CloudsFile {
  readonly text: string
  readonly setText: (text: string) => void
  readonly offers: Offers<RequestOutput<'clouds.inspect'>>
  readonly readText: string | null
  readonly cloudName: string | null
  readonly setCloudName: (name: string | null) => void
  /** Kubernetes only. */
  readonly isWithout: boolean
  readonly setWithout: (isWithout: boolean) => void
  readonly cloud: Way['cloud']
  readonly read: (path: string, quietly?: boolean) => Promise<void>
}

export function useCloudsFile(): CloudsFile {
  const [text, setText] = useState('')
  const offers = useOffers<RequestOutput<'clouds.inspect'>>()
  const [readText, setReadText] = useState<string | null>(null)
  const [cloudName, setCloudName] = useState<string | null>(null)
  const [isWithout, setWithout] = useState(false)
  const read = async (asked: string, quietly = false) => {
    const found = await offers.read(() => inspectClouds(asked === '' ? null : asked), quietly)
    if (found === undefined) return
    setReadText(found === null ? null : asked === '' ? found.path : asked)
    const usable = found?.clouds.filter(cloud => cloud.problem === null) ?? []
    setCloudName(usable.length === 1 ? (usable[0]?.name ?? null) : null)
    if (found !== null && asked === '') setText(found.path)
  }
  const cloud =
    isWithout || cloudName === null || offers.value === null ? null : { path: offers.value.path, cloud: cloudName }
  return { text, setText, offers, readText, cloudName, setCloudName, isWithout, setWithout, cloud, read }
}

/** Whether a typed path was not read yet. */
export function isUnread(kube: Kubeconfig, clouds: CloudsFile): boolean {
  return kube.text !== (kube.readText ?? '') || (!clouds.isWithout && clouds.text !== (clouds.readText ?? ''))
}

/** Whether a context, and a cloud or none, are chosen from the files that were read. */
export function isChosen(kube: Kubeconfig, clouds: CloudsFile): boolean {
  return !isUnread(kube, clouds) && kube.context !== null && (clouds.isWithout || clouds.cloud !== null)
}

/** The chosen context with its cloud; null if no context is chosen. */
export function wayOf(kube: Kubeconfig, { cloud }: CloudsFile): Way | null {
  const { context, offers } = kube
  if (context === null || offers.value === null) return null
  return { kubeconfig: { paths: offers.value.paths, context: context.name }, cloud }
}

/** Reads the files of a cluster that Lockkeeper found, and chooses its context and cloud. */
export async function readFound(found: FoundCluster, kube: Kubeconfig, clouds: CloudsFile): Promise<void> {
  const { paths, context, cloud } = found
  kube.setText(paths.join(':'))
  clouds.setWithout(false)
  await Promise.all([
    kube.read(paths.join(':')).then(() => kube.setContextName(context.name)),
    cloud === null
      ? null
      : clouds.read(cloud.path).then(() => {
          clouds.setText(cloud.path)
          clouds.setCloudName(cloud.cloud)
        }),
  ])
}
