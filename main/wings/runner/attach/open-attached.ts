import { join } from 'node:path'
import { readPrivateFile, writePrivateFile } from '../../../platform/files/private-file.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import { openProgramContract } from '../attach-stream/program-contract.ts'
import { openMirrors } from '../mirrors/mirrors.ts'
import { type Attached, createAttached, type KnownRunners } from './attached.ts'

type AttachedParts = Parameters<typeof createAttached>[0]
type RunnerPod = ReturnType<KnownRunners['all']>[number]

/** Known runners, and mirrors of their journals in a separate folder beside this console's journal. */
export function openAttached(
  parts: Omit<AttachedParts, 'mirrors' | 'known' | 'openContract'> & {
    readonly directory: string
    readonly log: Logger
  },
): Attached {
  const { directory, ...rest } = parts
  const log = parts.log.child('attach')
  const onTrouble = (why: string) => log.warn('mirror-unreadable', { why })
  return createAttached({
    ...rest,
    mirrors: openMirrors(join(directory, 'runners'), parts.clock, onTrouble),
    known: knownIn(join(directory, 'runners.json'), log),
    openContract: stream => openProgramContract(stream, parts.clock),
  })
}

/** The runners in a file; empty if it cannot be read: they are found again. */
function knownIn(path: string, log: Logger): KnownRunners {
  const all = (): readonly RunnerPod[] => {
    const read = readPrivateFile(path)
    if (!read.ok || read.value === null) return []
    try {
      const reported: unknown = JSON.parse(read.value)
      return Array.isArray(reported) ? reported.flatMap(each => podIn(each) ?? []) : []
    } catch {
      return []
    }
  }
  return {
    all,
    add: pod => {
      const known = all()
      const isKnown = known.some(
        ({ by, namespace, name }) => by === pod.by && namespace === pod.namespace && name === pod.name,
      )
      if (isKnown) return
      const written = writePrivateFile(path, `${JSON.stringify([...known, pod])}\n`, 'unlocked')
      if (!written.ok) log.warn('known-runner-not-kept', { why: written.failure.message })
    },
  }
}

function podIn(reported: unknown): RunnerPod | null {
  if (typeof reported !== 'object' || reported === null) return null
  if (!('by' in reported && 'namespace' in reported && 'name' in reported)) return null
  const { by, namespace, name } = reported
  return typeof by === 'string' && typeof namespace === 'string' && typeof name === 'string'
    ? { by, namespace, name }
    : null
}
