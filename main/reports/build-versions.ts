import type { Json } from '../../shared/domain/json.ts'
import type { Report } from '../../shared/domain/report.ts'
import { NODE_BEFORE, NODE_WORKED } from '../../shared/domain/run-facts.ts'
import { VERSIONS_READ } from '../../shared/domain/version-evidence.ts'
import { evidenceOf, factsOf, type Material } from './material.ts'

/** What is read of nodes that names a version, and what it is called. */
const OF_NODES: ReadonlyMap<string, string> = new Map([
  ['kubeletVersion', 'kubelet'],
  ['osImage', 'operating system'],
  ['kernelVersion', 'kernel'],
  ['containerRuntime', 'container runtime'],
])

/** Versions as far as the journal knows them; one that changed is told in its order, `v1.31.1 → v1.31.4`. */
export function buildVersions({ runs }: Pick<Material, 'runs'>, madeBy: Report['madeBy']): Report['versions'] {
  const found = new Map<string, string[]>()
  const add = (name: string, value: Json | undefined) => {
    if (typeof value !== 'string' || value === '') return
    const values = found.get(name) ?? []
    if (values.at(-1) !== value) found.set(name, [...values, value])
  }
  for (const run of runs) {
    for (const { body } of run.events) {
      if (body.kind === 'run-created' || body.kind === 'run-driven') add('Lockkeeper (driver)', body.driver.version)
    }
    for (const { subject, values } of evidenceOf(run)) {
      const node = /^node\/(.+)$/.exec(subject)?.[1]
      if (node !== undefined) addNode(node, values)
      if (subject === 'ceph') add('Ceph', values.release ?? values.version)
      if (subject === VERSIONS_READ) for (const [name, value] of Object.entries(values)) add(name, value)
      if (subject === 'watcher') add('Watcher', values.version)
    }
    for (const { fact, subject, values } of factsOf(run)) {
      if (fact === NODE_BEFORE || fact === NODE_WORKED) addNode(subject.replace(/^node\//, ''), values)
    }
  }
  return [
    { name: 'Lockkeeper (report)', value: madeBy.version },
    ...[...found].map(([name, values]) => ({ name, value: values.join(' → ') })),
  ]

  function addNode(node: string, values: Readonly<Record<string, Json>>): void {
    for (const [key, name] of OF_NODES) add(`${name} of ${node}`, values[key])
  }
}
